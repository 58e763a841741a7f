import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { FormDialog } from './FormDialog';
import type { TriggerDialogProps } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';

/** A form by its id, or a new one. */
export function FormTriggerDialog({ workflow: { id: workflowId }, id, onClose }: TriggerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.forms.list.queryOptions(
      { params: { id: workflowId }, query: TRIGGER_LIST_QUERY },
      { enabled: id !== undefined },
    ),
  );
  const form = data?.data.find((one) => one.id === id);
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.forms.list.queryKey() });
    onClose();
  };
  if (id === undefined || form)
    return <FormDialog workflowId={workflowId} form={form} onDone={done} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Form" size="lg">
      {error && <RequestErrorAlert title="The form can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!error && (data ? <Text size="sm">The form no longer exists.</Text> : <Skeleton h={120} />)}
    </Modal>
  );
}
