import { escapeBraces } from '../../n8n-expressions';
import { writeParameterSource } from '../../items/parameter-source';
import type { NodeConverter } from '../../conversion';
import {
  pagedListCall,
  sameParametersCall,
  serviceConverter,
  type ConnectorCallBuilder,
  type ParameterReader,
} from './service';

/** The text or the HTML of a mail. */
function gmailContent(read: ParameterReader): { text?: string; html?: string } {
  const message = read.text('message', 'htmlMessage') ?? '';
  const isText = read.get('emailType') === 'text' || (read.conversion.node.version < 2 && !read.isSet('includeHtml'));
  return isText ? { text: message } : { html: message };
}

/** Addresses: a list of them in nodes of the first version. */
const gmailAddresses = (read: ParameterReader, ...paths: string[]): string | undefined => {
  for (const path of paths) {
    const given = read.get(path);
    if (Array.isArray(given) && given.length > 0) return given.map((one) => escapeBraces(String(one))).join(', ');
    const text = read.text(path);
    if (text !== undefined) return text;
  }
  return undefined;
};

/** The files of the item by their names, of which one text may have several. */
function gmailAttachments(read: ParameterReader): string | undefined {
  const paths = ['options.attachmentsUi.attachmentsBinary', 'additionalFields.attachmentsUi.attachmentsBinary'];
  const rows = paths.flatMap((path) => read.rows(path));
  if (rows.length === 0) return undefined;
  const names = rows.map(({ property = 'data' }) => writeParameterSource(property, read.expressions.reportLost));
  return `{{ [${names.join(', ')}].flatMap((names) => String(names).split(',')).map((name) => input.$files?.[name]) }}`;
}

/** A moment as Gmail searches for it: n8n takes dates, ISO 8601, seconds and milliseconds. */
const searchedSeconds = (read: ParameterReader, path: string): string =>
  `{{ ((given) => { const text = given?.toISO ? given.toISO() : given; const at = DateTime.fromISO(String(text)).toSeconds(); ` +
  `const number = parseInt(text, 10); return Math.round(at) || (String(text).length < 12 ? number : Math.floor(number / 1000)); ` +
  `})(${writeParameterSource(read.get(path), read.expressions.reportLost)}) }}`;

function gmailMailFields(read: ParameterReader): Record<string, unknown> {
  return {
    subject: read.text('subject') ?? '(no subject)',
    ...gmailContent(read),
    cc: gmailAddresses(read, 'options.ccList', 'additionalFields.ccList'),
    bcc: gmailAddresses(read, 'options.bccList', 'additionalFields.bccList'),
    replyTo: read.text('options.replyTo'),
    attachments: gmailAttachments(read),
  };
}

const GMAIL_DATE_OPERATORS: Readonly<Record<string, string>> = { receivedAfter: 'after', receivedBefore: 'before' };

/** The search that the filters of a node say. */
function gmailSearchQuery(read: ParameterReader): string | undefined {
  const sender = read.text('filters.sender');
  const dates = Object.entries(GMAIL_DATE_OPERATORS).flatMap(([name, operator]) =>
    read.isEmpty(`filters.${name}`) ? [] : [`${operator}:${searchedSeconds(read, `filters.${name}`)}`],
  );
  const status = read.get('filters.readStatus');
  const unread = status === 'unread' ? ['is:unread'] : status === 'read' ? ['is:read'] : [];
  const from = sender === undefined ? [] : [`from:${sender}`];
  const all = [...[read.text('filters.q') ?? []].flat(), ...from, ...unread, ...dates];
  return all.length > 0 ? all.join(' ') : undefined;
}

const searchGmail: ConnectorCallBuilder = (read) => {
  if (read.isSet('returnAll')) read.conversion.addRemark('It finds at most 100 mails.');
  const limit = read.isSet('returnAll') ? 100 : (read.value('limit') ?? 50);
  const labels = read.list('filters.labelIds');
  return { operation: 'gmail.search', parameters: { query: gmailSearchQuery(read), labels, limit }, isList: true };
};

const gmailMessageCall =
  (operation: string): ConnectorCallBuilder =>
  (read) => ({ operation, parameters: { message: read.text('messageId') } });

const gmailLabelCall =
  (operation: string): ConnectorCallBuilder =>
  (read) => ({ operation, parameters: { message: read.text('messageId'), labels: read.list('labelIds') } });

const gmailThreadCall = (operation: string) => sameParametersCall(operation, { thread: 'threadId' });

const gmailThreadLabelCall =
  (operation: string): ConnectorCallBuilder =>
  (read) => ({ operation, parameters: { thread: read.text('threadId'), labels: read.list('labelIds') } });

const replyGmail: ConnectorCallBuilder = (read) => ({
  operation: 'gmail.reply',
  parameters: {
    message: read.text('messageId'),
    ...gmailContent(read),
    toAll: read.isSet('options.replyToSenderOnly') ? false : undefined,
  },
});

const convertGmailItems = serviceConverter({
  connector: 'google',
  name: 'Google',
  resource: 'message',
  operation: { message: 'send', draft: 'create', label: 'getAll', thread: 'getAll' },
  calls: {
    'message.send': (read) => ({
      operation: 'gmail.send',
      parameters: { to: gmailAddresses(read, 'sendTo', 'toList'), ...gmailMailFields(read) },
    }),
    'message.reply': replyGmail,
    'thread.reply': replyGmail,
    'thread.get': gmailThreadCall('gmail.get_thread'),
    'thread.getAll': pagedListCall('gmail.list_threads', 'threads', { query: 'filters.q' }),
    'thread.addLabels': gmailThreadLabelCall('gmail.add_thread_labels'),
    'thread.removeLabels': gmailThreadLabelCall('gmail.remove_thread_labels'),
    'thread.trash': gmailThreadCall('gmail.trash_thread'),
    'thread.untrash': gmailThreadCall('gmail.untrash_thread'),
    'message.get': gmailMessageCall('gmail.get'),
    'message.getAll': searchGmail,
    'message.addLabels': gmailLabelCall('gmail.add_labels'),
    'message.removeLabels': gmailLabelCall('gmail.remove_labels'),
    'message.markAsRead': gmailMessageCall('gmail.mark_read'),
    'message.markAsUnread': gmailMessageCall('gmail.mark_unread'),
    'message.delete': (read) => {
      read.conversion.addRemark('It moves the mail to the trash; gmail.delete deletes it for good.');
      return { operation: 'gmail.trash', parameters: { message: read.text('messageId') } };
    },
    'draft.get': sameParametersCall('gmail.get_draft', { draft: 'messageId' }),
    'draft.getAll': pagedListCall('gmail.list_drafts', 'drafts'),
    'draft.delete': sameParametersCall('gmail.delete_draft', { draft: 'messageId' }),
    'draft.create': (read) => ({
      operation: 'gmail.create_draft',
      parameters: { to: gmailAddresses(read, 'options.sendTo', 'additionalFields.toList'), ...gmailMailFields(read) },
    }),
    'label.get': sameParametersCall('gmail.get_label', { label: 'labelId' }),
    'label.create': sameParametersCall('gmail.create_label', { name: 'name' }),
    'label.delete': sameParametersCall('gmail.delete_label', { label: 'labelId' }),
    'label.getAll': () => ({ operation: 'gmail.list_labels', parameters: {}, path: '.body.labels', isList: true }),
  },
});

/** Fields of a mail that n8n writes with a capital. */
const CAPITALIZED_FIELDS = ['From', 'To', 'Subject'];
const CAPITALIZED_FIELDS_SHAPE = `(mail) => ({ ...mail, ${CAPITALIZED_FIELDS.map((name) => `${name}: mail.${name.toLowerCase()}`).join(', ')} })`;

export const convertGmail: NodeConverter = (conversion) => {
  const { operation, resource = 'message' } = conversion.node.parameters;
  const piece = convertGmailItems(conversion);
  const isRead = resource === 'message' && ['get', 'getAll'].includes(String(operation));
  return isRead && conversion.outcome !== 'placeholder' ? { ...piece, shape: CAPITALIZED_FIELDS_SHAPE } : piece;
};
