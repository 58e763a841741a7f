import type { Conversion } from '../../conversion';
import { textOf } from '../../conversion';
import { bag, list } from '../../file';
import type { Convert } from '../flow';
import { question } from '../questions';
import { listed, same, service, type CallOf, type Reader, type ServiceNode } from './service';

/** A service whose messages may wait for the answer of a person. */
function chat(node: ServiceNode): Convert {
  const convert = service(node);
  return (conversion: Conversion) => {
    const { operation, message } = conversion.node.parameters;
    return operation === 'sendAndWait' ? question(conversion, undefined, message) : convert(conversion);
  };
}

/** The channel or the user that a message goes to. */
const channelOf = (read: Reader): string | undefined =>
  read.get('select') === 'user' ? read.text('user') : read.text('channelId', 'channel');

/** The blocks of a message of Slack; undefined: it has none. */
function blocksOf(read: Reader): unknown {
  if (read.get('messageType') !== undefined && read.get('messageType') !== 'block') return undefined;
  if (typeof read.get('blocksUi') !== 'string') return undefined;
  const blocks = bag(read.json('blocksUi'))['blocks'];
  if (Array.isArray(blocks)) return blocks;
  if (read.get('messageType') === 'block') read.todo('Add its blocks.');
  return undefined;
}

const message = (read: Reader) => {
  if (read.rows('attachments').length > 0) read.todo('Write its attachments as blocks.');
  return {
    channel: channelOf(read),
    text: read.text('text') ?? read.text('blocksUi.text') ?? ' ',
    blocks: blocksOf(read),
  };
};

const post: CallOf = (read) => ({
  operation: 'messages.post',
  parameters: {
    ...message(read),
    thread: read.text('otherOptions.thread_ts.replyValues.thread_ts'),
    unfurlLinks: read.value('otherOptions.unfurl_links'),
    username: read.text('otherOptions.username'),
  },
});

export const slack = chat({
  connector: 'slack',
  name: 'Slack',
  resource: 'message',
  operation: { message: 'post', channel: 'create', user: 'info', reaction: 'add', file: 'upload' },
  calls: {
    'message.post': post,
    'message.update': (read) => ({
      operation: 'messages.update',
      parameters: { ...message(read), timestamp: read.text('ts', 'timestamp') },
    }),
    'message.delete': (read) => ({
      operation: 'messages.delete',
      parameters: { channel: channelOf(read), timestamp: read.text('timestamp') },
    }),
    'channel.create': (read) => ({
      operation: 'channels.create',
      parameters: {
        name: read.text('channelId'),
        isPrivate: read.get('channelVisibility') === 'private' ? true : undefined,
      },
    }),
    'channel.getAll': listed('channels.list', 'channels', { excludeArchived: 'filters.excludeArchived' }),
    'channel.history': listed('channels.history', 'messages', { channel: 'channelId', oldest: 'filters.oldest' }),
    'channel.replies': listed('channels.replies', 'messages', { channel: 'channelId', timestamp: 'ts' }),
    'channel.invite': (read) => ({
      operation: 'channels.invite',
      parameters: { channel: read.text('channelId'), users: [read.list('userIds')].flat().join(',') },
    }),
    'user.info': (read) => ({ operation: 'users.get', parameters: { user: read.text('user') }, path: '.body.user' }),
    'user.getAll': listed('users.list', 'members'),
    'reaction.add': same('reactions.add', { channel: 'channelId', timestamp: 'timestamp', name: 'name' }),
    'file.upload': (read) => ({
      operation: 'files.upload',
      parameters: {
        file: read.file(),
        channel: read.text('options.channelId') ?? [read.list('options.channelIds')].flat()[0],
        comment: read.text('options.initialComment'),
        title: read.text('options.title'),
      },
    }),
  },
});

/** Buttons below a message of Telegram. */
function markupOf(read: Reader): object | undefined {
  if (read.get('replyMarkup') !== 'inlineKeyboard') return undefined;
  const rows = read.rows('inlineKeyboard.rows').map(({ row }) =>
    list(bag(row)['buttons']).map(({ text, additionalFields }) => {
      const { url, callback_data: data } = bag(additionalFields);
      const target = textOf(url, read.expressions);
      return {
        text: textOf(text, read.expressions) ?? '',
        ...(target === undefined ? { callback_data: textOf(data, read.expressions) ?? '' } : { url: target }),
      };
    }),
  );
  return rows.length > 0 ? { inline_keyboard: rows } : undefined;
}

const FORMATS = new Set(['HTML', 'Markdown', 'MarkdownV2']);

/** What all messages of Telegram have. */
function common(read: Reader) {
  const format = read.get('additionalFields.parse_mode') ?? 'Markdown';
  return {
    chat: read.text('chatId'),
    format: FORMATS.has(String(format)) ? format : undefined,
    markup: markupOf(read),
    replyTo: read.value('additionalFields.reply_to_message_id'),
    isSilent: read.value('additionalFields.disable_notification'),
    thread: read.value('additionalFields.message_thread_id'),
  };
}

/** A file, which comes in, or which Telegram fetches or knows. */
const media =
  (operation: string, kind: string): CallOf =>
  (read) => {
    const caption = read.text('additionalFields.caption');
    const file = read.text('file');
    if (read.isSet('binaryData') || file === undefined)
      return { operation, parameters: { ...common(read), file: read.file(), caption } };
    const { chat: to, format, markup } = common(read);
    const fields = { chat_id: to, [kind]: file, caption, parse_mode: format, reply_markup: markup };
    const body = Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== undefined));
    const path = `/send${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    return { operation: 'request', parameters: { method: 'POST', path, body } };
  };

export const telegram = chat({
  connector: 'telegram',
  name: 'Telegram',
  resource: 'message',
  operation: { message: 'sendMessage', file: 'get', chat: 'get', callback: 'answerQuery' },
  calls: {
    'message.sendMessage': (read) => ({
      operation: 'messages.send',
      parameters: { ...common(read), text: read.text('text') ?? '' },
    }),
    'message.sendPhoto': media('messages.send_photo', 'photo'),
    'message.sendDocument': media('messages.send_document', 'document'),
    'message.sendAudio': media('messages.send_audio', 'audio'),
    'message.sendVideo': media('messages.send_video', 'video'),
    'message.sendLocation': same('messages.send_location', {
      chat: 'chatId',
      latitude: 'latitude',
      longitude: 'longitude',
    }),
    'message.sendChatAction': (read) => ({
      operation: 'chats.show_action',
      parameters: { chat: read.text('chatId'), action: read.text('action') ?? 'typing' },
    }),
    'message.editMessageText': (read) => ({
      operation: 'messages.edit',
      parameters: {
        chat: read.text('chatId'),
        messageId: read.value('messageId'),
        text: read.text('text') ?? '',
        format: common(read).format,
        markup: markupOf(read),
      },
    }),
    'message.deleteMessage': same('messages.delete', { chat: 'chatId', messageId: 'messageId' }),
    'message.pinChatMessage': same('messages.pin', { chat: 'chatId', messageId: 'messageId' }),
    'chat.get': same('chats.get', { chat: 'chatId' }),
    'chat.member': same('chats.get_member', { chat: 'chatId', user: 'userId' }),
    'file.get': (read) => {
      read.conversion.say('Its output is the value of the file.');
      return { operation: 'files.get', parameters: { fileId: read.text('fileId') } };
    },
    'callback.answerQuery': same('callbacks.answer', {
      callback: 'queryId',
      text: 'additionalFields.text',
      isAlert: 'additionalFields.show_alert',
    }),
  },
});

const bot = chat({
  connector: 'discord',
  name: 'Discord',
  resource: 'message',
  operation: { message: 'send', channel: 'getAll', member: 'getAll' },
  calls: {
    'message.send': (read) => {
      if (read.get('sendTo') === 'user') read.todo('Enter the channel of its direct messages.');
      const parameters = { channel: read.text('channelId'), content: read.text('content') ?? '' };
      const hasFiles = read.rows('files.values').some((file) => Object.keys(file).length > 0);
      return hasFiles
        ? { operation: 'messages.send_file', parameters: { ...parameters, file: read.file() } }
        : { operation: 'messages.send', parameters };
    },
    'message.deleteMessage': same('messages.delete', { channel: 'channelId', message: 'messageId' }),
    'message.getAll': (read) => ({
      operation: 'messages.list',
      parameters: { channel: read.text('channelId'), limit: read.isSet('returnAll') ? 100 : read.value('limit') },
      isList: true,
    }),
    'message.react': same('reactions.add', { channel: 'channelId', message: 'messageId', emoji: 'emoji' }),
    'channel.getAll': (read) => ({
      operation: 'channels.list',
      parameters: { server: read.text('guildId') },
      isList: true,
    }),
    'member.getAll': (read) => ({
      operation: 'members.list',
      parameters: { server: read.text('guildId'), limit: read.value('limit') },
      isList: true,
    }),
    'member.roleAdd': (read) => ({
      operation: 'members.add_role',
      parameters: { server: read.text('guildId'), user: read.text('userId'), role: [read.list('role')].flat()[0] },
    }),
  },
});

/** Webhooks of Discord have their secret in their address, which is in n8n's credential. */
const webhook: CallOf = (read) => {
  const [, id, token] = /\/webhooks\/(\d+)\/([\w-]+)$/.exec(read.text('webhookUri') ?? '') ?? [];
  read.todo('Enter id and token of its webhook, which are in the address of the webhook.');
  const content = read.text('content', 'text') ?? '';
  return { operation: 'webhooks.send', parameters: { webhook: id, webhookToken: token, content } };
};
const webhooks = service({
  connector: 'discord',
  name: 'Discord',
  operation: 'send',
  calls: { send: webhook, sendLegacy: webhook },
});

export const discord: Convert = (conversion) => {
  const { authentication, resource, guildId } = conversion.node.parameters;
  const isWebhook = authentication === 'webhook' || (resource === undefined && guildId === undefined);
  return isWebhook && conversion.node.parameters['operation'] !== 'sendAndWait'
    ? webhooks(conversion)
    : bot(conversion);
};

export const whatsApp = chat({
  connector: 'whatsapp',
  name: 'WhatsApp',
  resource: 'message',
  operation: { message: 'send', media: 'mediaUrlGet' },
  calls: {
    'message.send': (read) => {
      const to = { phone: read.text('phoneNumberId'), to: read.text('recipientPhoneNumber') };
      const kind = read.text('messageType') ?? 'text';
      if (kind === 'text') return { operation: 'messages.send', parameters: { ...to, text: read.text('textBody') } };
      const isFile = ['image', 'video', 'audio', 'document'].includes(kind);
      const caption = read.text('additionalFields.mediaCaption');
      return isFile
        ? { operation: 'messages.send_file', parameters: { ...to, file: read.file(), kind, caption } }
        : undefined;
    },
    'message.sendTemplate': (read) => {
      const [template, language = 'en_US'] = (read.text('template') ?? '').split('|');
      if (read.rows('components.component').length > 0) read.todo('Add the values of its template.');
      const to = { phone: read.text('phoneNumberId'), to: read.text('recipientPhoneNumber') };
      return { operation: 'messages.send_template', parameters: { ...to, template, language } };
    },
    'media.mediaUrlGet': (read) => {
      read.todo('It gives the file itself: leave out the request behind it that downloads it.');
      return { operation: 'media.get', parameters: { media: read.text('mediaGetId') } };
    },
  },
});

export const twilio = service({
  connector: 'twilio',
  name: 'Twilio',
  resource: 'sms',
  operation: { sms: 'send', call: 'make' },
  calls: {
    'sms.send': (read) => ({
      operation: read.isSet('toWhatsapp') ? 'messages.send_whatsapp' : 'messages.send',
      parameters: { to: read.text('to'), from: read.text('from'), text: read.text('message') ?? '' },
    }),
    'call.make': (read) => {
      const text = (read.text('message') ?? '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const twiml = read.isSet('twiml') ? read.text('message') : `<Response><Say>${text}</Say></Response>`;
      return { operation: 'calls.create', parameters: { to: read.text('to'), from: read.text('from'), twiml } };
    },
  },
});
