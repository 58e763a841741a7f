import { IconMessageChatbot } from '@tabler/icons-react';
import type { ChatTrigger } from '@/contract/triggers/chat';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { triggersQuery, type TriggerCardData, type TriggerKind } from './kind';
import { PAGE_ACCESS_LABELS, TRIGGER_LIST_QUERY, TRIGGER_REFRESH_MS, resolveTriggerState } from './state';

const toChatTrigger = (
  { id, path, url, title, access, enabled, startNodeId }: ChatTrigger,
  status: WorkflowStatus,
): TriggerCardData => ({
  id,
  kind: 'chat',
  text: `/${path}`,
  words: title,
  state: resolveTriggerState(enabled, status),
  note: PAGE_ACCESS_LABELS[access],
  startNodeId,
  canListen: false,
  page: { url, label: `Open chat ${title}` },
});

export const chatTriggerKind: TriggerKind = {
  kind: 'chat',
  label: 'Chat',
  icon: IconMessageChatbot,
  offer: {
    description: 'Starts the workflow for each message on a chat page, which shows the answer.',
    synonyms: ['chat trigger', 'trigger', 'conversation', 'chatbot', 'bot', 'assistant', 'message', 'ai', 'agent'],
  },
  query: (trpc, { id, status }) =>
    triggersQuery(
      trpc.chats.list.queryOptions({ params: { id }, query: TRIGGER_LIST_QUERY }),
      ({ data }: { data: ChatTrigger[] }) => data.map((chat) => toChatTrigger(chat, status)),
      TRIGGER_REFRESH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../chat/ChatTriggerDialog').then((module) => module.ChatTriggerDialog)),
};
