import { Alert, Button, Text } from '@mantine/core';
import { IconMessageChatbot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { useTRPC } from '@/components/client/trpc';
import { TRIGGER_LIST_QUERY } from '@/components/triggers/kinds/state';
import { canvasDefinition, useDraft } from '../../draft/draft';
import { addChatMemory } from './chat-memory';

interface Props {
  node: WorkflowNode;
  onChange(config: WorkflowNode['config'], field: string): void;
}

/** Offers an agent of a workflow with a chat to remember each conversation. */
export function ChatMemoryOffer({ node, onChange }: Props) {
  const trpc = useTRPC();
  const id = useDraft((draft) => draft.saved.id);
  const isInside = useDraft((draft) => draft.path.length > 0);
  const definition = useDraft(canvasDefinition);
  const language = useExpressionLanguage();
  const { data } = useQuery(trpc.chats.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }));
  const config = isInside ? undefined : addChatMemory(definition, node, language);
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
