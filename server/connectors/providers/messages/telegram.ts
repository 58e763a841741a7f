import type { ConnectorDefinition } from '../../connector';
import { defineSteppedOperation, type DataOperation } from '../../operation';
import {
  choiceParameter,
  countParameter,
  jsonObjectParameter,
  fileParameter,
  booleanParameter,
  multilineParameter,
  lineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { telegramSubscriptions } from '../../subscriptions/telegram';

// https://core.telegram.org/bots/api
const telegramChatId = lineParameter('Chat').describe('Id of the chat, or @name of a public channel or group');
const telegramMessageId = countParameter('Message', 2 ** 52).describe('`message_id` of the message');
const telegramTextFormat = choiceParameter('Format', ['HTML', 'MarkdownV2', 'Markdown'])
  .optional()
  .describe('Default: plain text');
const telegramKeyboard = jsonObjectParameter('Keyboard')
  .optional()
  .describe('`reply_markup` as JSON, e.g. {"inline_keyboard": [[…]]}');
const telegramSendOptions = {
  format: telegramTextFormat,
  markup: telegramKeyboard,
  replyTo: countParameter('Reply to', 2 ** 52)
    .optional()
    .describe('`message_id` of the message to reply to'),
  isSilent: booleanParameter('Without a sound')
    .optional()
    .describe('Users get the message without a notification sound'),
  thread: countParameter('Topic', 2 ** 52)
    .optional()
    .describe('`message_thread_id` of a topic in a forum'),
};
const telegramParameterNames = {
  chat: 'chat_id',
  messageId: 'message_id',
  format: 'parse_mode',
  markup: 'reply_markup',
  replyTo: 'reply_to_message_id',
  isSilent: 'disable_notification',
  thread: 'message_thread_id',
};
const telegramCaption = multilineParameter('Caption', 1024).optional().describe('At most 1,024 characters');

// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
const TELEGRAM_SEND_LIMIT = 'About 30 messages a second, one a second in a chat, 20 a minute in a group.';
const telegramMessageExample = {
  ok: true,
  result: { message_id: 42, chat: { id: 123_456_789, type: 'private' }, date: 1_735_689_600, text: 'Hello' },
};

/** An operation that sends a file, as `field`. */
const telegramFileOperation = (kind: string, field: string, title: string): DataOperation => ({
  id: `messages.send_${field}`,
  title: `Send ${title}`,
  help: 'A file of the run, at most 50 MB (photos 10 MB).',
  limits: TELEGRAM_SEND_LIMIT,
  method: 'POST',
  path: `/${kind}`,
  bodyAs: 'multipart',
  inBody: { chat: telegramChatId, file: fileParameter('File'), caption: telegramCaption, ...telegramSendOptions },
  names: { ...telegramParameterNames, file: field },
  example: { ok: true, result: { message_id: 43, chat: { id: 123_456_789 }, [field]: { file_id: 'BQACAgIAAx…' } } },
});

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
  setup: 'Nothing has to be registered: a bot has a token of its own.',
  probe: { path: '/getMe' },
  subscriptions: telegramSubscriptions,
  operations: [
    {
      id: 'messages.send',
      title: 'Send a message',
      help: 'A text of at most 4,096 characters.',
      limits: TELEGRAM_SEND_LIMIT,
      method: 'POST',
      path: '/sendMessage',
      inBody: {
        chat: telegramChatId,
        text: multilineParameter('Text', 4096).describe('At most 4,096 characters'),
        ...telegramSendOptions,
      },
      names: telegramParameterNames,
      example: telegramMessageExample,
    },
    telegramFileOperation('sendPhoto', 'photo', 'a photo'),
    telegramFileOperation('sendDocument', 'document', 'a document'),
    telegramFileOperation('sendAudio', 'audio', 'an audio file'),
    telegramFileOperation('sendVideo', 'video', 'a video'),
    {
      id: 'messages.send_location',
      title: 'Send a location',
      help: 'A point on the map.',
      limits: TELEGRAM_SEND_LIMIT,
      method: 'POST',
      path: '/sendLocation',
      inBody: {
        chat: telegramChatId,
        latitude: lineParameter('Latitude', 20).describe('Degrees, e.g. 52.5186'),
        longitude: lineParameter('Longitude', 20).describe('Degrees, e.g. 13.3763'),
      },
      names: telegramParameterNames,
      example: telegramMessageExample,
    },
    {
      id: 'messages.edit',
      title: 'Edit a message',
      help: 'Replaces the text and the keyboard of a message of the bot.',
      limits: TELEGRAM_SEND_LIMIT,
      method: 'POST',
      path: '/editMessageText',
      inBody: {
        chat: telegramChatId,
        messageId: telegramMessageId,
        text: multilineParameter('Text', 4096).describe('At most 4,096 characters'),
        format: telegramTextFormat,
        markup: telegramKeyboard,
      },
      names: telegramParameterNames,
      example: telegramMessageExample,
    },
    {
      id: 'messages.delete',
      title: 'Delete a message',
      help: 'Messages of the last 48 hours.',
      method: 'POST',
      path: '/deleteMessage',
      inBody: { chat: telegramChatId, messageId: telegramMessageId },
      names: telegramParameterNames,
      example: { ok: true, result: true },
    },
    {
      id: 'messages.pin',
      title: 'Pin a message',
      help: 'The bot must be an administrator of the chat.',
      method: 'POST',
      path: '/pinChatMessage',
      inBody: { chat: telegramChatId, messageId: telegramMessageId },
      names: telegramParameterNames,
      example: { ok: true, result: true },
    },
    {
      id: 'callbacks.answer',
      title: 'Answer a callback',
      help: 'Ends the waiting of a user who pressed a button of an inline keyboard.',
      method: 'POST',
      path: '/answerCallbackQuery',
      inBody: {
        callback: lineParameter('Callback').describe('`callback_query.id` of the update'),
        text: multilineParameter('Text', 200).optional().describe('Shown to the user, at most 200 characters'),
        isAlert: booleanParameter('As a dialog').optional().describe('Shows the text in a dialog'),
      },
      names: { callback: 'callback_query_id', isAlert: 'show_alert' },
      example: { ok: true, result: true },
    },
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
      inQuery: { chat: telegramChatId, user: countParameter('User', 2 ** 52).describe('Id of the user') },
      names: { ...telegramParameterNames, user: 'user_id' },
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
        action: choiceParameter('Action', ['typing', 'upload_photo', 'upload_document', 'upload_video']).describe(
          'What the bot does',
        ),
      },
      names: telegramParameterNames,
      example: { ok: true, result: true },
    },
    defineSteppedOperation({
      id: 'files.get',
      title: 'Download a file',
      help: 'Stores a file that a user sent, at most 20 MB.',
      parameters: { fileId: lineParameter('File').describe('`file_id` of a document, photo, voice message …') },
      *steps({ fileId }) {
        const found = yield { path: '/getFile', query: { file_id: fileId } };
        const path = String(getAtPath(found.body, 'result.file_path'));
        const segments = path.split('/').map(encodeURIComponent).join('/');
        return (yield { path: `/${segments}`, api: 'files', asFile: { name: path.split('/').at(-1) ?? path } }).body;
      },
      example: { $file: 'file_…', name: 'file_12.jpg', contentType: 'image/jpeg', size: 53_072, sha256: '…' },
    }),
    {
      id: 'webhook.set',
      title: 'Set the webhook',
      help: 'Sends updates of the bot to an address, such as a webhook of Weft for Telegram.',
      method: 'POST',
      path: '/setWebhook',
      inBody: {
        url: lineParameter('Address', 2000).describe('https address of the webhook; it replaces the one before'),
        secret: lineParameter('Secret token', 256).optional().describe('As entered in the webhook'),
      },
      names: { secret: 'secret_token' },
      example: { ok: true, result: true, description: 'Webhook was set' },
    },
    {
      id: 'updates.list',
      title: 'List updates',
      help: 'Messages and other updates of the last 24 hours; fails while a webhook is set.',
      method: 'GET',
      path: '/getUpdates',
      inQuery: {
        offset: countParameter('From', 2 ** 52)
          .optional()
          .describe('Updates before this `update_id` are confirmed and gone'),
        limit: countParameter('Items', 100).optional().describe('At most 100'),
      },
      items: 'result',
      example: {
        ok: true,
        result: [{ update_id: 1, message: { message_id: 7, text: 'Hi', chat: { id: 123_456_789 } } }],
      },
      poll: {
        title: 'New message to a bot',
        words: 'telegram trigger bot message update',
        parameters: { offset: '{{ cursor }}' },
        items: 'input.body.result',
        key: 'item.update_id',
        cursor: '$max(input.body.result.update_id) + 1',
      },
    },
  ],
};
