import { Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChatTrigger } from '@/contract/triggers/chat';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { TRIGGER_LIST_QUERY } from '../kinds/state';
import { ChatCard } from './ChatCard';
import { ChatDialog } from './ChatDialog';

/** The chats of a workflow. */
export function ChatList({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<ChatTrigger | 'new'>();
  const { data, error, refetch } = useQuery(
    trpc.chats.list.queryOptions({ params: { id: workflowId }, query: TRIGGER_LIST_QUERY }),
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trpc.chats.list.queryKey() });
  const close = () => setEdited(undefined);
  return (
    <Stack gap="sm" component="section" aria-label="Chats">
      <Title order={3} size="h4">
        Chats
      </Title>
      <Text size="sm" c="dimmed">
        A chat is a page with a conversation. Each message starts a run, while the workflow is live; its output is the
        answer.
      </Text>
      {error && <RequestErrorAlert title="The chats can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={70} />}
      {data?.total === 0 && <Text size="sm">There are no chats yet.</Text>}
      {data?.data.map((chat) => (
        <ChatCard key={chat.id} chat={chat} onEdit={() => setEdited(chat)} onChange={refresh} />
      ))}
      <Button
        variant="default"
        w="fit-content"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => setEdited('new')}
      >
        Add chat
      </Button>
      {edited && (
        <ChatDialog
          workflowId={workflowId}
          chat={edited === 'new' ? undefined : edited}
          onDone={() => {
            close();
            refresh();
          }}
          onClose={close}
        />
      )}
    </Stack>
  );
}
