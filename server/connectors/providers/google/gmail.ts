import { NodeFailure } from '@/server/platform/errors/node-failure';
import {
  defineSteppedOperation,
  type ApiResponse,
  type ApiRequest,
  type BodyPiece,
  type OperationDefinition,
} from '../../operation';
import {
  countParameter,
  fileListParameter,
  booleanParameter,
  multilineParameter,
  lineParameter,
  lineListParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { messageHeader, toGmailMessage } from './gmail-message';
import { buildMailPieces, type ComposedMail } from './mime';

// https://developers.google.com/workspace/gmail/api/reference/rest
const GMAIL_API = 'gmail';
const GMAIL_MESSAGES_PATH = '/users/me/messages';
const mailAddressParameter = (title: string) => lineParameter(title, 10_000);
const gmailMessageId = lineParameter('Message').describe('Id of the message');
const mailContentParameters = {
  subject: lineParameter('Subject', 1000).describe('One line'),
  text: multilineParameter('Text', 1_000_000).optional().describe('The message as plain text'),
  html: multilineParameter('HTML', 1_000_000)
    .optional()
    .describe('The message as HTML; the text is for programs that show none'),
  cc: mailAddressParameter('Cc').optional().describe('Addresses, separated by commas'),
  bcc: mailAddressParameter('Bcc').optional().describe('Addresses, separated by commas'),
  replyTo: mailAddressParameter('Reply to').optional().describe('Address for answers'),
  from: mailAddressParameter('From')
    .optional()
    .describe('One of the sender addresses of the account; empty: its main one'),
  attachments: fileListParameter('Attachments').optional(),
};
const gmailLabels = lineListParameter('Labels').describe('Names or ids of labels, e.g. INBOX, STARRED, Customers');

// https://developers.google.com/workspace/gmail/api/reference/quota
const gmailRateLimit = '15,000 units a minute for a user; sending costs 100, reading 5.';
const sentMailExample = { id: '19a2b3c4d5e6f708', threadId: '19a2b3c4d5e6f708', labelIds: ['SENT'] };
const gmailMessageExample = {
  id: '19a2b3c4d5e6f708',
  threadId: '19a2b3c4d5e6f708',
  from: 'Ada <ada@example.com>',
  to: 'me@example.com',
  cc: null,
  subject: 'Invoice 42',
  date: '2026-01-31T08:15:30.000Z',
  timestamp: 1_769_847_330,
  labels: ['INBOX', 'UNREAD'],
  snippet: 'Please find attached',
  text: 'Please find attached …',
  html: null,
  attachments: [{ id: 'ANGjdJ8x…', name: 'invoice.pdf', contentType: 'application/pdf', size: 53_072 }],
};

type GmailRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

const UPLOAD_BOUNDARY = 'weft-mail-and-its-metadata';

/** Sends or stores a mail: its facts as JSON, and the mail itself, which may be large. */
const mailUploadRequest = (path: string, facts: object, mail: ComposedMail): ApiRequest => {
  const pieces: BodyPiece[] = [
    `--${UPLOAD_BOUNDARY}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(facts)}\r\n`,
    `--${UPLOAD_BOUNDARY}\r\nContent-Type: message/rfc822\r\n\r\n`,
    ...buildMailPieces(mail),
    `\r\n--${UPLOAD_BOUNDARY}--\r\n`,
  ];
  const type = `multipart/related; boundary=${UPLOAD_BOUNDARY}`;
  return {
    method: 'POST',
    api: 'gmail_upload',
    path,
    query: { uploadType: 'multipart' },
    body: { as: 'pieces', type, pieces },
  };
};

/** Ids of labels by their names. Throws NodeFailure CONFIG. */
function* resolveLabelIds(names: readonly string[]): GmailRequests<string[]> {
  const { body } = yield { api: GMAIL_API, path: '/users/me/labels' };
  const known = (getAtPath(body, 'labels') ?? []) as { id: string; name: string }[];
  return names.map((name) => {
    const found =
      known.find((one) => one.id === name) ?? known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    throw new NodeFailure('CONFIG', `Gmail has no label "${name}".`, false);
  });
}

const modifyMessageLabels = (id: string, change: object): ApiRequest => ({
  method: 'POST',
  api: GMAIL_API,
  path: `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(id)}/modify`,
  body: { as: 'json', value: change },
});

const getMessageRequest = (id: string, format: 'full' | 'metadata'): ApiRequest => ({
  api: GMAIL_API,
  path: `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(id)}`,
  query: { format },
});

/** An operation that changes the labels of a message. */
const labelChangeOperation = (id: string, title: string, help: string, change: object): OperationDefinition =>
  defineSteppedOperation({
    id,
    title,
    help,
    limits: gmailRateLimit,
    parameters: { message: gmailMessageId },
    *steps({ message: of }) {
      return (yield modifyMessageLabels(of, change)).body;
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
      text: mailContentParameters.text,
      html: mailContentParameters.html,
      toAll: booleanParameter('Reply to all').optional().describe('Also to the other addresses of the message'),
      attachments: mailContentParameters.attachments,
    },
    *steps({ message: of, text: plain, html, toAll, attachments }) {
      const original = (yield getMessageRequest(of, 'metadata')).body;
      const header = (name: string) => messageHeader(original, name) ?? undefined;
      const id = header('Message-ID');
      const subject = header('Subject') ?? '';
      const mail: ComposedMail = {
        to: header('Reply-To') ?? header('From'),
        cc: toAll ? [header('To'), header('Cc')].filter(Boolean).join(', ') : undefined,
        subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
        text: plain,
        html,
        inReplyTo: id,
        references: [header('References'), id].filter(Boolean).join(' ') || undefined,
        attachments,
      };
      return (yield mailUploadRequest(
        `${GMAIL_MESSAGES_PATH}/send`,
        { threadId: getAtPath(original, 'threadId') },
        mail,
      )).body;
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
      query: lineParameter('Search', 2000)
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
      attachment: lineParameter('Attachment', 2000).describe('Its id, as read with the email'),
      name: lineParameter('Name', 255).optional().describe('Name of the file; default attachment'),
      contentType: lineParameter('Content type', 200).optional().describe('e.g. application/pdf'),
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
      return (yield modifyMessageLabels(of, { addLabelIds: yield* resolveLabelIds(names) })).body;
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
      return (yield modifyMessageLabels(of, { removeLabelIds: yield* resolveLabelIds(names) })).body;
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
