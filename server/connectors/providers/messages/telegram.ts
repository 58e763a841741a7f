import type { ConnectorDefinition } from '../../connector';
import { telegramChatOperations } from './telegram-chats';
import { telegramChoices } from './telegram-choices';
import { telegramFileOperations } from './telegram-files';
import { telegramMessageOperations } from './telegram-messages';
import { telegramUpdateOperations } from './telegram-updates';
import { telegramSubscriptions } from '../../subscriptions/telegram';

export const telegramConnector: ConnectorDefinition = {
  id: 'telegram',
  name: 'Telegram',
  description: 'Messages, files and chats of a bot.',
  synonyms: ['bot', 'chat', 'message', 'messenger', 'notification'],
  flow: 'token',
  // https://core.telegram.org/bots/api#making-requests: the token is a part of the path.
  apiUrl: 'https://api.telegram.org/bot{token}',
  apis: { files: 'https://api.telegram.org/file/bot{token}' },
  scopes: {},
  token: {
    title: 'Bot token',
    setup:
      'In Telegram write /newbot to @BotFather, choose a name, and copy the token. /token shows the one of an existing bot.',
    fields: [
      {
        name: 'token',
        title: 'Bot token',
        hint: 'From @BotFather, e.g. 123456:ABC-DEF…',
        isSecret: true,
        pattern: /^\d{3,20}:[\w-]{20,100}$/,
        rule: 'must be a token of @BotFather, such as 123456:ABC-DEF…',
      },
    ],
  },
  // https://core.telegram.org/bots/api#making-requests
  refusal: { kind: 'flag', at: 'ok', reason: 'description' },
  setup: 'Nothing has to be registered: a bot has a token of its own.',
  probe: { path: '/getMe' },
  // 30 messages a second in all.
  limits: {
    perMinute: 1800,
    source: 'https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this',
  },
  choices: telegramChoices,
  subscriptions: telegramSubscriptions,
  operations: [
    ...telegramMessageOperations,
    ...telegramFileOperations,
    ...telegramChatOperations,
    ...telegramUpdateOperations,
  ],
};
