import { escapeBraces } from '../../n8n-expressions';
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

function gmailMailFields(read: ParameterReader): Record<string, unknown> {
  if (read.rows('options.attachmentsUi.attachmentsBinary').length > 0)
    read.addTodo('Choose the files that it attaches.');
  return {
    subject: read.text('subject') ?? '(no subject)',
    ...gmailContent(read),
    cc: gmailAddresses(read, 'options.ccList', 'additionalFields.ccList'),
    bcc: gmailAddresses(read, 'options.bccList', 'additionalFields.bccList'),
    replyTo: read.text('options.replyTo'),
  };
}

const GMAIL_SEARCH_OPERATORS: Readonly<Record<string, string>> = {
  sender: 'from',
  receivedAfter: 'after',
  receivedBefore: 'before',
};

/** The search that the filters of a node say. */
function gmailSearchQuery(read: ParameterReader): string | undefined {
  const parts = Object.entries(GMAIL_SEARCH_OPERATORS).flatMap(([name, operator]) => {
    const text = read.text(`filters.${name}`);
    return text === undefined ? [] : [`${operator}:${text}`];
  });
  if (read.get('filters.receivedAfter') ?? read.get('filters.receivedBefore'))
    read.addTodo('Check its dates: Gmail takes 2026/03/01, or seconds.');
  const status = read.get('filters.readStatus');
  const unread = status === 'unread' ? ['is:unread'] : status === 'read' ? ['is:read'] : [];
  const all = [...[read.text('filters.q') ?? []].flat(), ...parts, ...unread];
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
