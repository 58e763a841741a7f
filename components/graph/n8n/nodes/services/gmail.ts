import { quoted } from '../../javascript/code';
import { plain } from '../../text';
import type { Convert } from '../flow';
import { question } from '../questions';
import { reshaped, service, type CallOf, type Reader } from './service';

/** The text or the HTML of a mail. */
function contentOf(read: Reader): { text?: string; html?: string } {
  const message = read.text('message', 'htmlMessage') ?? '';
  const isText = read.get('emailType') === 'text' || (read.conversion.node.version < 2 && !read.isSet('includeHtml'));
  return isText ? { text: message } : { html: message };
}

/** Addresses: a list of them in nodes of the first version. */
const addresses = (read: Reader, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const given = read.get(path);
    if (Array.isArray(given) && given.length > 0) return given.map((one) => plain(String(one))).join(', ');
    const text = read.text(path);
    if (text !== undefined) return text;
  }
  return undefined;
};

function mailOf(read: Reader): Record<string, unknown> {
  if (read.rows('options.attachmentsUi.attachmentsBinary').length > 0) read.todo('Choose the files that it attaches.');
  return {
    subject: read.text('subject') ?? '(no subject)',
    ...contentOf(read),
    cc: addresses(read, 'options.ccList', 'additionalFields.ccList'),
    bcc: addresses(read, 'options.bccList', 'additionalFields.bccList'),
    replyTo: read.text('options.replyTo'),
  };
}

const OPERATORS: Readonly<Record<string, string>> = {
  sender: 'from',
  receivedAfter: 'after',
  receivedBefore: 'before',
};

/** The search that the filters of a node say. */
function queryOf(read: Reader): string | undefined {
  const parts = Object.entries(OPERATORS).flatMap(([name, operator]) => {
    const text = read.text(`filters.${name}`);
    return text === undefined ? [] : [`${operator}:${text}`];
  });
  if (read.get('filters.receivedAfter') ?? read.get('filters.receivedBefore'))
    read.todo('Check its dates: Gmail takes 2026/03/01, or seconds.');
  const status = read.get('filters.readStatus');
  const unread = status === 'unread' ? ['is:unread'] : status === 'read' ? ['is:read'] : [];
  const all = [...[read.text('filters.q') ?? []].flat(), ...parts, ...unread];
  return all.length > 0 ? all.join(' ') : undefined;
}

const search: CallOf = (read) => {
  if (read.isSet('returnAll')) read.conversion.say('It finds at most 100 mails.');
  const limit = read.isSet('returnAll') ? 100 : (read.value('limit') ?? 50);
  const labels = read.list('filters.labelIds');
  return { operation: 'gmail.search', parameters: { query: queryOf(read), labels, limit }, isList: true };
};

const onMessage =
  (operation: string): CallOf =>
  (read) => ({ operation, parameters: { message: read.text('messageId') } });

const labelled =
  (operation: string): CallOf =>
  (read) => ({ operation, parameters: { message: read.text('messageId'), labels: read.list('labelIds') } });

const reply: CallOf = (read) => ({
  operation: 'gmail.reply',
  parameters: {
    message: read.text('messageId'),
    ...contentOf(read),
    toAll: read.isSet('options.replyToSenderOnly') ? false : undefined,
  },
});

const each = service({
  connector: 'google',
  name: 'Google',
  resource: 'message',
  operation: { message: 'send', draft: 'create', label: 'getAll', thread: 'getAll' },
  calls: {
    'message.send': (read) => ({
      operation: 'gmail.send',
      parameters: { to: addresses(read, 'sendTo', 'toList'), ...mailOf(read) },
    }),
    'message.reply': reply,
    'thread.reply': reply,
    'message.get': onMessage('gmail.get'),
    'message.getAll': search,
    'message.addLabels': labelled('gmail.add_labels'),
    'message.removeLabels': labelled('gmail.remove_labels'),
    'message.markAsRead': onMessage('gmail.mark_read'),
    'message.markAsUnread': onMessage('gmail.mark_unread'),
    'message.delete': (read) => {
      read.conversion.say('It moves the mail to the trash.');
      return { operation: 'gmail.trash', parameters: { message: read.text('messageId') } };
    },
    'draft.create': (read) => ({
      operation: 'gmail.create_draft',
      parameters: { to: addresses(read, 'options.sendTo', 'additionalFields.toList'), ...mailOf(read) },
    }),
    'label.getAll': () => ({ operation: 'gmail.list_labels', parameters: {}, path: '.body.labels', isList: true }),
  },
});

/** Fields of a mail that n8n writes with a capital. */
const NAMES = ['From', 'To', 'Subject'];
const CAPITALS = `$merge([$, { ${NAMES.map((name) => `${quoted(name)}: ${name.toLowerCase()}`).join(', ')} }])`;

export const gmail: Convert = (conversion) => {
  const { operation, resource = 'message', sendTo, message } = conversion.node.parameters;
  if (operation === 'sendAndWait') return question(conversion, sendTo, message);
  const piece = each(conversion);
  const isRead = resource === 'message' && ['get', 'getAll'].includes(String(operation));
  return isRead && conversion.outcome !== 'placeholder' ? reshaped(piece, CAPITALS) : piece;
};
