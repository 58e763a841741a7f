import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { countParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { gmailDraftOperations } from './gmail-drafts';
import { toGmailMessage } from './gmail-message';
import { gmailMessageOperations } from './gmail-messages';
import {
  getMessageRequest,
  GMAIL_API,
  GMAIL_MESSAGES_PATH,
  gmailLabels,
  gmailMessageExample,
  gmailMessageId,
  gmailRateLimit,
  mailAddressParameter,
  mailContentParameters,
  mailReplyParameters,
  mailUploadRequest,
  modifyLabels,
  replyToMessage,
  resolveLabelIds,
  sentMailExample,
} from './gmail-parts';
import { gmailThreadOperations } from './gmail-threads';

/** An operation that changes the labels of a message. */
const labelChangeOperation = (id: string, title: string, help: string, change: object): OperationDefinition =>
  defineSteppedOperation({
    id,
    title,
    help,
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId },
    *steps({ message: of }) {
      return (yield modifyLabels(GMAIL_MESSAGES_PATH, of, change)).body;
    },
    example: { ...sentMailExample, labelIds: ['INBOX'] },
  });

export const gmailOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'gmail.send',
    title: 'Send an email',
    help: 'Sends from the connected account, with files of the run as attachments.',
    limits: gmailRateLimit,
    parameters: { to: mailAddressParameter('To').describe('Addresses, separated by commas'), ...mailContentParameters },
    *steps(mail) {
      return (yield mailUploadRequest(`${GMAIL_MESSAGES_PATH}/send`, {}, mail)).body;
    },
    example: sentMailExample,
  }),
  defineSteppedOperation({
    id: 'gmail.reply',
    title: 'Reply to an email',
    help: 'Answers in the same thread, to the sender or to all.',
    limits: gmailRateLimit,
    parameters: {
      message: gmailMessageId,
      ...mailReplyParameters,
    },
    *steps({ message: of, ...reply }) {
      return yield* replyToMessage((yield getMessageRequest(of, 'metadata')).body, reply);
    },
    example: sentMailExample,
  }),
  defineSteppedOperation({
    id: 'gmail.create_draft',
    title: 'Create a draft',
    help: 'Stores an email as a draft.',
    limits: gmailRateLimit,
    parameters: {
      to: mailAddressParameter('To').optional().describe('Addresses, separated by commas'),
      ...mailContentParameters,
    },
    *steps(mail) {
      return (yield mailUploadRequest('/users/me/drafts', {}, mail)).body;
    },
    example: { id: 'r-4286', message: sentMailExample },
  }),
  defineSteppedOperation({
    id: 'gmail.search',
    title: 'Search emails',
    help: 'Newest first, with their texts and the ids of attachments.',
    limits: gmailRateLimit,
    parameters: {
      query: valueLineParameter('Search', 'query', 2000)
        .optional()
        .describe('As in Gmail, e.g. is:unread from:ada@example.com has:attachment'),
      labels: gmailLabels.optional(),
      limit: countParameter('Emails', 100).optional().describe('At most 100; default 10'),
    },
    *steps({ query, labels: names = [], limit = 10 }) {
      const ids = names.length > 0 ? yield* resolveLabelIds(names) : [];
      const filter = ids.map((id) => `labelIds=${encodeURIComponent(id)}`).join('&');
      const listed = yield {
        api: GMAIL_API,
        path: filter ? `${GMAIL_MESSAGES_PATH}?${filter}` : GMAIL_MESSAGES_PATH,
        query: { q: query, maxResults: limit },
      };
      const found = (getAtPath(listed.body, 'messages') ?? []) as { id: string }[];
      const all: unknown[] = [];
      for (const { id } of found) all.push(toGmailMessage((yield getMessageRequest(id, 'full')).body));
      return all;
    },
    example: [gmailMessageExample],
    poll: {
      title: 'New email',
      words: 'gmail trigger mail message received inbox',
      // The first poll remembers the emails of the last hour.
      parameters: { query: 'in:inbox after:{{ cursor ?? $floor($millis() / 1000) - 3600 }}', limit: 100 },
      items: 'input.body',
      key: 'item.id',
      cursor: '$max(input.body.timestamp) - 1',
    },
  }),
  defineSteppedOperation({
    id: 'gmail.get',
    title: 'Get an email',
    help: 'Sender, subject, texts and the ids of attachments.',
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId },
    *steps({ message: of }) {
      return toGmailMessage((yield getMessageRequest(of, 'full')).body);
    },
    example: gmailMessageExample,
  }),
  defineSteppedOperation({
    id: 'gmail.get_attachment',
    title: 'Download an attachment',
    help: 'Stores an attachment as a file of the run.',
    limits: gmailRateLimit,
    parameters: {
      message: gmailMessageId,
      attachment: valueLineParameter('Attachment', 'earlier step', 2000).describe(
        'Its id, as read with the email: it is another one with each reading',
      ),
      name: valueLineParameter('Name', 'new name', 255).optional().describe('Name of the file; default attachment'),
      contentType: valueLineParameter('Content type', 'code', 200).optional().describe('e.g. application/pdf'),
    },
    *steps({ message: of, attachment, name = 'attachment', contentType = 'application/octet-stream' }) {
      const path = `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(of)}/attachments/${encodeURIComponent(attachment)}`;
      return (yield { api: GMAIL_API, path, asFile: { name, contentType, base64At: 'data' } }).body;
    },
    example: { $file: 'file_…', name: 'invoice.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  defineSteppedOperation({
    id: 'gmail.add_labels',
    title: 'Add labels to an email',
    help: 'Adds labels by their names or ids.',
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId, labels: gmailLabels },
    *steps({ message: of, labels: names }) {
      return (yield modifyLabels(GMAIL_MESSAGES_PATH, of, { addLabelIds: yield* resolveLabelIds(names) })).body;
    },
    example: sentMailExample,
  }),
  defineSteppedOperation({
    id: 'gmail.remove_labels',
    title: 'Remove labels from an email',
    help: 'Removes labels by their names or ids; without INBOX an email is archived.',
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId, labels: gmailLabels },
    *steps({ message: of, labels: names }) {
      return (yield modifyLabels(GMAIL_MESSAGES_PATH, of, { removeLabelIds: yield* resolveLabelIds(names) })).body;
    },
    example: sentMailExample,
  }),
  labelChangeOperation('gmail.mark_read', 'Mark an email as read', 'Removes the label UNREAD.', {
    removeLabelIds: ['UNREAD'],
  }),
  labelChangeOperation('gmail.mark_unread', 'Mark an email as unread', 'Adds the label UNREAD.', {
    addLabelIds: ['UNREAD'],
  }),
  defineSteppedOperation({
    id: 'gmail.trash',
    title: 'Move an email to the trash',
    help: 'It is deleted after 30 days.',
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId },
    *steps({ message: of }) {
      return (yield { method: 'POST', api: GMAIL_API, path: `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(of)}/trash` })
        .body;
    },
    example: { ...sentMailExample, labelIds: ['TRASH'] },
  }),
  ...gmailMessageOperations,
  ...gmailThreadOperations,
  ...gmailDraftOperations,
  {
    id: 'gmail.list_labels',
    title: 'List labels',
    help: 'Labels of the system and of the user.',
    limits: gmailRateLimit,
    method: 'GET',
    api: GMAIL_API,
    path: '/users/me/labels',
    items: 'labels',
    example: { labels: [{ id: 'Label_12', name: 'Customers', type: 'user' }] },
  },
];
