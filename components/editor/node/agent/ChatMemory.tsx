import { Alert, Button, Text } from '@mantine/core';
import { IconMessageChatbot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Node } from '@/contract/workflows/workflow';
import { useTRPC } from '@/components/client/trpc';
import { ALL } from '@/components/triggers/kinds/state';
import { shown, useDraft } from '../../draft/draft';
import { withChatMemory } from './chat-memory';

interface Props {
  node: Node;
  onChange(config: Node['config'], field: string): void;
}

/** Offers an agent of a workflow with a chat to remember each conversation. */
export function ChatMemory({ node, onChange }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const isInside = useDraft((draft) => draft.path.length > 0);
  const definition = useDraft(shown);
  const { data } = useQuery(trpc.chats.list.queryOptions({ params: { id }, query: ALL }));
  const config = isInside ? undefined : withChatMemory(definition, node);
  if (!config || !data || data.total === 0) return null;
  return (
    <Alert color="woad" icon={<IconMessageChatbot size={18} aria-hidden />} title="This workflow has a chat">
      <Text size="sm" mb="xs">
        Let the agent answer its messages and remember each conversation.
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => onChange(config, 'memory')}>
        Remember conversations
      </Button>
    </Alert>
  );
}
