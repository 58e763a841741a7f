import { parameterText } from '../../conversion';
import { asN8nObject, asN8nObjects } from '../../file';
import { sameParametersCall, serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

/** Buttons below a message of Telegram. */
function telegramMarkup(read: ParameterReader): object | undefined {
  if (read.get('replyMarkup') !== 'inlineKeyboard') return undefined;
  const rows = read.rows('inlineKeyboard.rows').map(({ row }) =>
    asN8nObjects(asN8nObject(row)['buttons']).map(({ text, additionalFields }) => {
      const { url, callback_data: data } = asN8nObject(additionalFields);
      const target = parameterText(url, read.expressions);
      return {
        text: parameterText(text, read.expressions) ?? '',
        ...(target === undefined ? { callback_data: parameterText(data, read.expressions) ?? '' } : { url: target }),
      };
    }),
  );
  return rows.length > 0 ? { inline_keyboard: rows } : undefined;
}

const TELEGRAM_FORMATS = new Set(['HTML', 'Markdown', 'MarkdownV2']);

/** The parameters that all messages of Telegram have. */
function telegramMessageFields(read: ParameterReader) {
  const format = read.get('additionalFields.parse_mode') ?? 'Markdown';
  if (read.isEmpty('chatId')) read.addChoice('chat', 'Enter its chat.');
  return {
    chat: read.text('chatId'),
    format: TELEGRAM_FORMATS.has(String(format)) ? format : undefined,
    markup: telegramMarkup(read),
    replyTo: read.value('additionalFields.reply_to_message_id'),
    isSilent: read.value('additionalFields.disable_notification'),
    thread: read.value('additionalFields.message_thread_id'),
  };
}

/** Sends a file: the incoming one, or one that Telegram fetches or knows. */
const sendTelegramMedia =
  (operation: string, kind: string): ConnectorCallBuilder =>
  (read) => {
    const caption = read.text('additionalFields.caption');
    const file = read.text('file');
    if (read.isSet('binaryData') || file === undefined)
      return { operation, parameters: { ...telegramMessageFields(read), file: read.file(), caption } };
    const { chat: to, format, markup } = telegramMessageFields(read);
    const fields = { chat_id: to, [kind]: file, caption, parse_mode: format, reply_markup: markup };
    const body = Object.fromEntries(Object.entries(fields).filter(([, each]) => each !== undefined));
    const path = `/send${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
    return { operation: 'request', parameters: { method: 'POST', path, body } };
  };

export const convertTelegram = serviceConverter({
  connector: 'telegram',
  name: 'Telegram',
  resource: 'message',
  operation: { message: 'sendMessage', file: 'get', chat: 'get', callback: 'answerQuery' },
  calls: {
    'message.sendMessage': (read) => ({
      operation: 'messages.send',
      parameters: { ...telegramMessageFields(read), text: read.text('text') ?? '' },
    }),
    'message.sendPhoto': sendTelegramMedia('messages.send_photo', 'photo'),
    'message.sendDocument': sendTelegramMedia('messages.send_document', 'document'),
    'message.sendAudio': sendTelegramMedia('messages.send_audio', 'audio'),
    'message.sendVideo': sendTelegramMedia('messages.send_video', 'video'),
    'message.sendLocation': sameParametersCall('messages.send_location', {
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
        format: telegramMessageFields(read).format,
        markup: telegramMarkup(read),
      },
    }),
    'message.deleteMessage': sameParametersCall('messages.delete', { chat: 'chatId', messageId: 'messageId' }),
    'message.pinChatMessage': sameParametersCall('messages.pin', { chat: 'chatId', messageId: 'messageId' }),
    'chat.get': sameParametersCall('chats.get', { chat: 'chatId' }),
    'chat.member': sameParametersCall('chats.get_member', { chat: 'chatId', user: 'userId' }),
    'file.get': (read) => ({ operation: 'files.get', parameters: { fileId: read.text('fileId') } }),
    'callback.answerQuery': sameParametersCall('callbacks.answer', {
      callback: 'queryId',
      text: 'additionalFields.text',
      isAlert: 'additionalFields.show_alert',
    }),
  },
});
