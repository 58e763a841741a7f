import type { Connector } from '../../connector';
import { stepped, type DataOperation } from '../../operation';
import { choice, count, fields, file, flag, text, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';

// https://core.telegram.org/bots/api
const chat = word('Chat').describe('Id of the chat, or @name of a public channel or group');
const messageId = count('Message', 2 ** 52).describe('`message_id` of the message');
const format = choice('Format', ['HTML', 'MarkdownV2', 'Markdown']).optional().describe('Default: plain text');
const markup = fields('Keyboard').optional().describe('`reply_markup` as JSON, e.g. {"inline_keyboard": [[…]]}');
const common = {
  format,
  markup,
  replyTo: count('Reply to', 2 ** 52)
    .optional()
    .describe('`message_id` of the message to reply to'),
  isSilent: flag('Without a sound').optional().describe('Users get the message without a notification sound'),
  thread: count('Topic', 2 ** 52)
    .optional()
    .describe('`message_thread_id` of a topic in a forum'),
};
const names = {
  chat: 'chat_id',
  messageId: 'message_id',
  format: 'parse_mode',
  markup: 'reply_markup',
  replyTo: 'reply_to_message_id',
  isSilent: 'disable_notification',
  thread: 'message_thread_id',
};
const caption = text('Caption', 1024).optional().describe('At most 1,024 characters');

// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
const SENDING = 'About 30 messages a second, one a second in a chat, 20 a minute in a group.';
const sent = {
  ok: true,
  result: { message_id: 42, chat: { id: 123_456_789, type: 'private' }, date: 1_735_689_600, text: 'Hello' },
};

/** An operation that sends a file, as `field`. */
const sending = (kind: string, field: string, title: string): DataOperation => ({
  id: `messages.send_${field}`,
  title: `Send ${title}`,
  help: 'A file of the run, at most 50 MB (photos 10 MB).',
  limits: SENDING,
  method: 'POST',
  path: `/${kind}`,
  bodyAs: 'multipart',
  inBody: { chat, file: file('File'), caption, ...common },
  names: { ...names, file: field },
  example: { ok: true, result: { message_id: 43, chat: { id: 123_456_789 }, [field]: { file_id: 'BQACAgIAAx…' } } },
});

export const telegram: Connector = {
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
  operations: [
    {
      id: 'messages.send',
      title: 'Send a message',
      help: 'A text of at most 4,096 characters.',
      limits: SENDING,
      method: 'POST',
      path: '/sendMessage',
      inBody: { chat, text: text('Text', 4096).describe('At most 4,096 characters'), ...common },
      names,
      example: sent,
    },
    sending('sendPhoto', 'photo', 'a photo'),
    sending('sendDocument', 'document', 'a document'),
    sending('sendAudio', 'audio', 'an audio file'),
    sending('sendVideo', 'video', 'a video'),
    {
      id: 'messages.send_location',
      title: 'Send a location',
      help: 'A point on the map.',
      limits: SENDING,
      method: 'POST',
      path: '/sendLocation',
      inBody: {
        chat,
        latitude: word('Latitude', 20).describe('Degrees, e.g. 52.5186'),
        longitude: word('Longitude', 20).describe('Degrees, e.g. 13.3763'),
      },
      names,
      example: sent,
    },
    {
      id: 'messages.edit',
      title: 'Edit a message',
      help: 'Replaces the text and the keyboard of a message of the bot.',
      limits: SENDING,
      method: 'POST',
      path: '/editMessageText',
      inBody: { chat, messageId, text: text('Text', 4096).describe('At most 4,096 characters'), format, markup },
      names,
      example: sent,
    },
    {
      id: 'messages.delete',
      title: 'Delete a message',
      help: 'Messages of the last 48 hours.',
      method: 'POST',
      path: '/deleteMessage',
      inBody: { chat, messageId },
      names,
      example: { ok: true, result: true },
    },
    {
      id: 'messages.pin',
      title: 'Pin a message',
      help: 'The bot must be an administrator of the chat.',
      method: 'POST',
      path: '/pinChatMessage',
      inBody: { chat, messageId },
      names,
      example: { ok: true, result: true },
    },
    {
      id: 'callbacks.answer',
      title: 'Answer a callback',
      help: 'Ends the waiting of a user who pressed a button of an inline keyboard.',
      method: 'POST',
      path: '/answerCallbackQuery',
      inBody: {
        callback: word('Callback').describe('`callback_query.id` of the update'),
        text: text('Text', 200).optional().describe('Shown to the user, at most 200 characters'),
        isAlert: flag('As a dialog').optional().describe('Shows the text in a dialog'),
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
      inQuery: { chat },
      names,
      example: { ok: true, result: { id: -1_001_234_567_890, type: 'supergroup', title: 'Team' } },
    },
    {
      id: 'chats.get_member',
      title: 'Get a member of a chat',
      help: 'Whether a user is a member or administrator.',
      method: 'GET',
      path: '/getChatMember',
      inQuery: { chat, user: count('User', 2 ** 52).describe('Id of the user') },
      names: { ...names, user: 'user_id' },
      example: { ok: true, result: { status: 'member', user: { id: 123_456_789, first_name: 'Ada' } } },
    },
    {
      id: 'chats.show_action',
      title: 'Show an action in a chat',
      help: 'Shows “typing…” for 5 seconds or until the next message.',
      method: 'POST',
      path: '/sendChatAction',
      inBody: {
        chat,
        action: choice('Action', ['typing', 'upload_photo', 'upload_document', 'upload_video']).describe(
          'What the bot does',
        ),
      },
      names,
      example: { ok: true, result: true },
    },
    stepped({
      id: 'files.get',
      title: 'Download a file',
      help: 'Stores a file that a user sent, at most 20 MB.',
      parameters: { fileId: word('File').describe('`file_id` of a document, photo, voice message …') },
      *steps({ fileId }) {
        const found = yield { path: '/getFile', query: { file_id: fileId } };
        const path = String(at(found.body, 'result.file_path'));
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
        url: word('Address', 2000).describe('https address of the webhook; it replaces the one before'),
        secret: word('Secret token', 256).optional().describe('As entered in the webhook'),
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
        offset: count('From', 2 ** 52)
          .optional()
          .describe('Updates before this `update_id` are confirmed and gone'),
        limit: count('Items', 100).optional().describe('At most 100'),
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
