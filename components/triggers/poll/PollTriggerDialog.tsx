import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggerDialogProps } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { PollDialog } from './PollDialog';

/** A poll by its id, or a new one. */
export function PollTriggerDialog({ workflow, id, preset, onClose }: TriggerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.polls.list.queryOptions(
      { params: { id: workflow.id }, query: TRIGGER_LIST_QUERY },
      { enabled: id !== undefined },
    ),
  );
  const poll = data?.data.find((one) => one.id === id);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.polls.list.queryKey() });
  if (id === undefined || poll)
    return <PollDialog workflow={workflow} poll={poll} preset={preset?.poll} onChange={refresh} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Poll" size="lg">
      {error && <RequestErrorAlert title="The poll can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!error && (data ? <Text size="sm">The poll no longer exists.</Text> : <Skeleton h={120} />)}
    </Modal>
  );
}
