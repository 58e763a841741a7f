import { IconMessageChatbot } from '@tabler/icons-react';
import type { Chat } from '@/contract/triggers/chat';
import type { WorkflowStatus } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { shownAs, type Trigger, type TriggerKind } from './kind';
import { ACCESS, ALL, REFETCH_MS, triggerState } from './state';

const shown = ({ id, path, url, title, access, enabled }: Chat, status: WorkflowStatus): Trigger => ({
  id,
  kind: 'chat',
  text: `/${path}`,
  words: title,
  state: triggerState(enabled, status),
  note: ACCESS[access],
  canListen: false,
  page: { url, label: `Open chat ${title}` },
});

export const chatKind: TriggerKind = {
  kind: 'chat',
  label: 'Chat',
  icon: IconMessageChatbot,
  offer: {
    description: 'Starts the workflow for each message on a chat page, which shows the answer.',
    synonyms: ['chat trigger', 'trigger', 'conversation', 'chatbot', 'bot', 'assistant', 'message', 'ai', 'agent'],
  },
  query: (trpc, { id, status }) =>
    shownAs(
      trpc.chats.list.queryOptions({ params: { id }, query: ALL }),
      ({ data }: { data: Chat[] }) => data.map((chat) => shown(chat, status)),
      REFETCH_MS,
    ),
  Dialog: lazyWithPreload(() => import('../chat/ChatTriggerDialog').then((module) => module.ChatTriggerDialog)),
};
