import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

interface TelegramChat {
  id: number;
  type: string;
  name: string;
}

/** The parts of an update that are in a chat. https://core.telegram.org/bots/api#update */
const CHAT_PATHS = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query.message',
  'my_chat_member',
  'chat_member',
].map((part) => `${part}.chat`);

/** The chats of updates, each one once, with the name that it has in the newest of them. */
export function collectTelegramChats(updates: unknown): TelegramChat[] {
  const list = getAtPath(updates, 'result');
  const found = (Array.isArray(list) ? (list as unknown[]) : []).flatMap((update) =>
    CHAT_PATHS.flatMap((path) => {
      const chat = getAtPath(update, path) as Record<string, unknown> | undefined;
      if (typeof chat?.['id'] !== 'number') return [];
      const { id, type, title, first_name: first, last_name: last, username } = chat;
      const person = [first, last].filter((part) => part !== undefined).join(' ');
      return [{ id, type: String(type), name: String(title ?? (person || (username ?? id))) }];
    }),
  );
  return [...new Map(found.map((chat) => [chat.id, chat])).values()];
}
