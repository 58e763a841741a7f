import { notifications } from '@mantine/notifications';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { useDraftStore } from '../draft/draft';
import type { useSave } from '../draft/useSave';

const STATUS_DONE: Record<Exclude<WorkflowStatus, 'active'>, string> = {
  draft: 'The workflow is a draft now. Its forms, chats, schedules and polls are off.',
  paused: 'The workflow is paused. Its webhooks are refused, its forms, chats, schedules and polls are off.',
};
const NOT_SAVED = 'The workflow could not be saved, so it can’t be published.';

/** Changes the status of the workflow. Activation goes through the publish dialog, which `onPublish` opens. */
export function useStatusChange(saving: ReturnType<typeof useSave>, onPublish: () => void) {
  const store = useDraftStore();
  const publish = async () => {
    // An incomplete workflow can be saved too. The dialog shows what is missing.
    if (await saving.save()) onPublish();
    else notifications.show({ color: 'madder', title: 'Not saved', message: store.get().refusal ?? NOT_SAVED });
  };
  const setStatus = async (status: WorkflowStatus) => {
    if (status === 'active') return publish();
    if (await saving.setStatus(status)) notifications.show({ color: 'verdigris', message: STATUS_DONE[status] });
  };
  return { publish, setStatus };
}
