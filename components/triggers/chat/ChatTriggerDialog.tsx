import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { TriggerDialogProps } from '../kinds/kind';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { ChatDialog } from './ChatDialog';

/** A chat by its id, or a new one. */
export function ChatTriggerDialog({ workflow: { id: workflowId }, id, onClose }: TriggerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.chats.list.queryOptions(
      { params: { id: workflowId }, query: TRIGGER_LIST_QUERY },
      { enabled: id !== undefined },
    ),
  );
  const chat = data?.data.find((one) => one.id === id);
  const done = () => {
    void queryClient.invalidateQueries({ queryKey: trpc.chats.list.queryKey() });
    onClose();
  };
  if (id === undefined || chat)
    return <ChatDialog workflowId={workflowId} chat={chat} onDone={done} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Chat" size="lg">
      {error && <RequestErrorAlert title="The chat can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!error && (data ? <Text size="sm">The chat no longer exists.</Text> : <Skeleton h={120} />)}
    </Modal>
  );
}
