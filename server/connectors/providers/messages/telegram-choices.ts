import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ConnectorChoiceSource } from '../../choices';
import { collectTelegramChats } from './telegram-known-chats';

/** What lists the choices of Telegram, which keeps no list of chats. */
export const telegramChoices: Record<string, ConnectorChoiceSource> = {
  chats: {
    // The only trace of chats are the updates that nobody has fetched. Without an offset they are read and stay where
    // they are: a poll still gets them. While a webhook is set Telegram refuses to list them, and a list must not
    // remove the webhook of somebody.
    *steps() {
      const webhook = yield { path: '/getWebhookInfo' };
      if (getAtPath(webhook.body, 'result.url'))
        throw new NodeFailure(
          'API_REFUSED',
          'Telegram lists no chats while the bot has a webhook. Enter the id by hand: it is `message.chat.id` of an update.',
          false,
        );
      const { body } = yield { path: '/getUpdates', query: { limit: 100 } };
      return { items: collectTelegramChats(body).map((chat) => ({ ...chat, id: String(chat.id) })) };
    },
    value: 'id',
    label: ['name'],
    hint: 'type',
  },
};
