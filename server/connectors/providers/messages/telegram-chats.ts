import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { booleanParameter, choiceParameter, contentLineParameter, countParameter } from '../../parameters';
import { telegramChatId, telegramDoneExample, telegramParameterNames } from './telegram-parameters';
import { collectTelegramChats } from './telegram-known-chats';

const TELEGRAM_ACTIONS = [
  'typing',
  'upload_photo',
  'upload_document',
  'upload_video',
  'record_video',
  'record_voice',
  'upload_voice',
  'find_location',
  'choose_sticker',
] as const;
const telegramUserId = countParameter('User', 2 ** 52).describe('Id of the user');
const telegramChatParameterNames = { ...telegramParameterNames, user: 'user_id' };

/** Operations of Telegram with chats. https://core.telegram.org/bots/api#available-methods */
export const telegramChatOperations: OperationDefinition[] = [
  {
    id: 'chats.get',
    title: 'Get a chat',
    help: 'Title, type and description.',
    method: 'GET',
    path: '/getChat',
    inQuery: { chat: telegramChatId },
    names: telegramParameterNames,
    example: { ok: true, result: { id: -1_001_234_567_890, type: 'supergroup', title: 'Team' } },
  },
  {
    id: 'chats.get_member',
    title: 'Get a member of a chat',
    help: 'Whether a user is a member or administrator.',
    method: 'GET',
    path: '/getChatMember',
    inQuery: { chat: telegramChatId, user: telegramUserId },
    names: telegramChatParameterNames,
    example: { ok: true, result: { status: 'member', user: { id: 123_456_789, first_name: 'Ada' } } },
  },
  {
    id: 'chats.show_action',
    title: 'Show an action in a chat',
    help: 'Shows “typing…” for 5 seconds or until the next message.',
    method: 'POST',
    path: '/sendChatAction',
    inBody: {
      chat: telegramChatId,
      action: choiceParameter('Action', TELEGRAM_ACTIONS).describe('What the bot does'),
    },
    names: telegramParameterNames,
    example: telegramDoneExample,
  },
  defineSteppedOperation({
    id: 'chats.list',
    title: 'List chats that wrote to the bot',
    help: 'Chats in the updates of the last 24 hours that nobody has confirmed; fails while a webhook is set.',
    parameters: {},
    *steps() {
      // Without an offset Telegram confirms no update: they stay for others.
      const { body } = yield { path: '/getUpdates', query: { limit: 100 } };
      return collectTelegramChats(body);
    },
    example: [{ id: 123_456_789, type: 'private', name: 'Ada Lovelace' }],
  }),
  {
    id: 'chats.list_administrators',
    title: 'List the administrators of a chat',
    help: 'All of them, without other bots.',
    method: 'GET',
    path: '/getChatAdministrators',
    inQuery: { chat: telegramChatId },
    names: telegramParameterNames,
    items: 'result',
    example: { ok: true, result: [{ status: 'creator', user: { id: 123_456_789, first_name: 'Ada' } }] },
  },
  {
    id: 'chats.count_members',
    title: 'Count the members of a chat',
    help: 'Gives a number.',
    method: 'GET',
    path: '/getChatMemberCount',
    inQuery: { chat: telegramChatId },
    names: telegramParameterNames,
    example: { ok: true, result: 42 },
  },
  {
    id: 'chats.set_title',
    title: 'Set the title of a chat',
    help: 'Of a group or channel of which the bot is an administrator.',
    method: 'POST',
    path: '/setChatTitle',
    inBody: { chat: telegramChatId, title: contentLineParameter('Title', 128).describe('At most 128 characters') },
    names: telegramParameterNames,
    example: telegramDoneExample,
  },
  {
    id: 'chats.set_description',
    title: 'Set the description of a chat',
    help: 'Of a group or channel of which the bot is an administrator.',
    method: 'POST',
    path: '/setChatDescription',
    inBody: {
      chat: telegramChatId,
      description: contentLineParameter('Description', 255).describe('At most 255 characters'),
    },
    names: telegramParameterNames,
    example: telegramDoneExample,
  },
  {
    id: 'chats.leave',
    title: 'Leave a chat',
    help: 'The bot leaves a group or channel.',
    method: 'POST',
    path: '/leaveChat',
    inBody: { chat: telegramChatId },
    names: telegramParameterNames,
    example: telegramDoneExample,
  },
  {
    id: 'chats.ban_member',
    title: 'Ban a member of a chat',
    help: 'The user is removed, and cannot come back.',
    method: 'POST',
    path: '/banChatMember',
    inBody: {
      chat: telegramChatId,
      user: telegramUserId,
      until: countParameter('Until', 9_999_999_999).optional().describe('Unix time in seconds; default: for ever'),
    },
    names: { ...telegramChatParameterNames, until: 'until_date' },
    example: telegramDoneExample,
  },
  {
    id: 'chats.unban_member',
    title: 'Lift the ban of a user',
    help: 'The user may join again.',
    method: 'POST',
    path: '/unbanChatMember',
    inBody: {
      chat: telegramChatId,
      user: telegramUserId,
      isOnlyBanned: booleanParameter('Only if banned').optional().describe('Without it a member is removed'),
    },
    names: { ...telegramChatParameterNames, isOnlyBanned: 'only_if_banned' },
    example: telegramDoneExample,
  },
];
