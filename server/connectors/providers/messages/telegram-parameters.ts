import {
  booleanParameter,
  choiceParameter,
  countParameter,
  jsonObjectParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';

// https://core.telegram.org/bots/api
export const telegramChatId = listedLineParameter('Chat', 'chats').describe(
  'Id of the chat, or @name of a public channel or group',
);
export const telegramMessageId = countParameter('Message', 2 ** 52).describe('`message_id` of the message');
export const telegramTextFormat = choiceParameter('Format', ['HTML', 'MarkdownV2', 'Markdown'])
  .optional()
  .describe('Default: plain text');
export const telegramKeyboard = jsonObjectParameter('Keyboard')
  .optional()
  .describe('`reply_markup` as JSON, e.g. {"inline_keyboard": [[…]]}');
export const telegramSendOptions = {
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
export const telegramParameterNames = {
  chat: 'chat_id',
  messageId: 'message_id',
  format: 'parse_mode',
  markup: 'reply_markup',
  replyTo: 'reply_to_message_id',
  isSilent: 'disable_notification',
  thread: 'message_thread_id',
};
export const telegramCaption = multilineParameter('Caption', 1024).optional().describe('At most 1,024 characters');

// https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this
export const TELEGRAM_SEND_LIMIT = 'About 30 messages a second, one a second in a chat, 20 a minute in a group.';
export const telegramMessageExample = {
  ok: true,
  result: { message_id: 42, chat: { id: 123_456_789, type: 'private' }, date: 1_735_689_600, text: 'Hello' },
};

/** The answer to a change that has no result. */
export const telegramDoneExample = { ok: true, result: true };
