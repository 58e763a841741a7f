import { Modal, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { FailureNote } from '@/components/ui/states/FailureNote';
import type { TriggerDialogProps } from '../kinds/kind';
import { ALL } from '../kinds/state';
import { ChatDialog } from './ChatDialog';

/** A chat by its id, or a new one. */
export function ChatTriggerDialog({ workflow: { id: workflowId }, id, onClose }: TriggerDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(
    trpc.chats.list.queryOptions({ params: { id: workflowId }, query: ALL }, { enabled: id !== undefined }),
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
      {error && <FailureNote title="The chat can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!error && (data ? <Text size="sm">The chat no longer exists.</Text> : <Skeleton h={120} />)}
    </Modal>
  );
}
