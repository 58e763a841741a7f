import { notifications } from '@mantine/notifications';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import type { EditorDialog } from '../commands/editor-dialogs';
import { useDraftStore } from '../draft/draft';
import type { useDraftSave } from '../draft/useDraftSave';

const STATUS_CHANGED_TEXTS: Record<Exclude<WorkflowStatus, 'active'>, string> = {
  draft: 'The workflow is a draft now. Its forms, chats, schedules and polls are off.',
  paused: 'The workflow is paused. Its webhooks are refused, its forms, chats, schedules and polls are off.',
};
const PUBLISH_NOT_SAVED_TEXT = 'The workflow could not be saved, so it can’t be published.';

/** Changes the status of the workflow. `onDialog` opens the publish dialog, and closes what is open. */
export function useStatusChange(
  saving: ReturnType<typeof useDraftSave>,
  onDialog: (dialog: EditorDialog | undefined) => void,
) {
  const store = useDraftStore();
  const publish = async () => {
    // An incomplete workflow can be saved too. The dialog shows what is missing.
    if (await saving.save()) onDialog({ kind: 'publish' });
    else
      notifications.show({
        color: 'madder',
        title: 'Not saved',
        message: store.get().refusal ?? PUBLISH_NOT_SAVED_TEXT,
      });
  };
  /** Publishes at once. What is in the way is shown in the publish dialog. */
  const goLive = async () => {
    if (!(await saving.save()) || !(await saving.publish(''))) return onDialog({ kind: 'publish' });
    onDialog(undefined);
    notifications.show({ color: 'verdigris', message: 'Live. Its triggers start runs from now on.' });
  };
  const setStatus = async (status: WorkflowStatus) => {
    if (status === 'active') return publish();
    if (await saving.setStatus(status))
      notifications.show({ color: 'verdigris', message: STATUS_CHANGED_TEXTS[status] });
  };
  return { publish, goLive, setStatus };
}
