import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ConnectorSubscriptions, SubscribedEvent } from '../subscription';

const telegramSender = { id: 123_456_789, is_bot: false, first_name: 'Ada' };
const telegramChat = { id: 123_456_789, type: 'private', first_name: 'Ada' };
const telegramMessage = {
  message_id: 42,
  from: telegramSender,
  chat: telegramChat,
  date: 1_769_847_330,
  text: 'Hello',
};

const telegramEvent = (id: string, title: string, words: string, body: object): SubscribedEvent => ({
  id,
  title,
  words,
  parameters: {},
  example: { update_id: 1001, ...body },
});

/** Stands for everything that a bot receives by default. */
const ANY_UPDATE = 'any';

/** https://core.telegram.org/bots/api#setwebhook : a bot has one webhook. */
export const telegramSubscriptions: ConnectorSubscriptions = {
  verification: { kind: 'provider', provider: 'telegram' },
  source: 'https://core.telegram.org/bots/api#setwebhook',
  *identifyAccount() {
    return String(getAtPath((yield { path: '/getMe' }).body, 'result.id'));
  },
  events: [
    telegramEvent('message', 'New message to a bot', 'chat text photo command', { message: telegramMessage }),
    telegramEvent(ANY_UPDATE, 'Anything that a bot receives', 'update all', { message: telegramMessage }),
    telegramEvent('edited_message', 'Message to a bot is edited', 'chat change', {
      edited_message: { ...telegramMessage, edit_date: 1_769_847_390, text: 'Hello!' },
    }),
    telegramEvent('channel_post', 'New post in a channel', 'broadcast', {
      channel_post: { message_id: 7, chat: { id: -1_001_234_567_890, type: 'channel', title: 'News' }, text: 'Hello' },
    }),
    telegramEvent('callback_query', 'Button of a message is pressed', 'inline keyboard click', {
      callback_query: { id: '1', from: telegramSender, message: telegramMessage, data: 'yes' },
    }),
    telegramEvent('my_chat_member', 'Bot is added to a chat or removed', 'join leave block', {
      my_chat_member: { chat: telegramChat, from: telegramSender, new_chat_member: { status: 'member' } },
    }),
    telegramEvent('inline_query', 'Inline query to a bot', 'search', {
      inline_query: { id: '1', from: telegramSender, query: 'door', offset: '' },
    }),
    telegramEvent('poll_answer', 'Answer to a poll', 'vote', {
      poll_answer: { poll_id: '1', user: telegramSender, option_ids: [0] },
    }),
  ],
  *find({ url }) {
    const current = getAtPath((yield { path: '/getWebhookInfo' }).body, 'result.url');
    if (current === url) return { externalId: url, expiresAt: null };
    if (typeof current !== 'string' || current === '') return null;
    const host = URL.canParse(current) ? new URL(current).host : 'another address';
    throw new NodeFailure('API_REFUSED', `The bot has a webhook at ${host}, and a bot can have only one.`, false);
  },
  *create({ url, secret, event }) {
    const updates = event === ANY_UPDATE ? {} : { allowed_updates: [event] };
    yield {
      method: 'POST',
      path: '/setWebhook',
      body: { as: 'json', value: { url, secret_token: secret, ...updates } },
    };
    return { externalId: url, expiresAt: null };
  },
  *remove(externalId) {
    // Somebody else may have set another address meanwhile.
    const current = getAtPath((yield { path: '/getWebhookInfo' }).body, 'result.url');
    if (current === externalId) yield { method: 'POST', path: '/deleteWebhook', body: { as: 'json', value: {} } };
  },
};
