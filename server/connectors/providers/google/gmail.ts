import { NodeFailure } from '@/server/errors/node-failure';
import { stepped, type ApiAnswer, type ApiRequest, type BodyPiece, type ConnectorOperation } from '../../operation';
import { count, files, flag, text, word, words } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';
import { headerOf, messageOf } from './message';
import { mailPieces, type Mail } from './mime';

// https://developers.google.com/workspace/gmail/api/reference/rest
const api = 'gmail';
const messages = '/users/me/messages';
const addresses = (title: string) => word(title, 10_000);
const message = word('Message').describe('Id of the message');
const content = {
  subject: word('Subject', 1000).describe('One line'),
  text: text('Text', 1_000_000).optional().describe('The message as plain text'),
  html: text('HTML', 1_000_000).optional().describe('The message as HTML; the text is for programs that show none'),
  cc: addresses('Cc').optional().describe('Addresses, separated by commas'),
  bcc: addresses('Bcc').optional().describe('Addresses, separated by commas'),
  replyTo: addresses('Reply to').optional().describe('Address for answers'),
  from: addresses('From').optional().describe('One of the sender addresses of the account; empty: its main one'),
  attachments: files('Attachments').optional(),
};
const labels = words('Labels').describe('Names or ids of labels, e.g. INBOX, STARRED, Customers');

// https://developers.google.com/workspace/gmail/api/reference/quota
const limits = '15,000 units a minute for a user; sending costs 100, reading 5.';
const sent = { id: '19a2b3c4d5e6f708', threadId: '19a2b3c4d5e6f708', labelIds: ['SENT'] };
const shown = {
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

type Requests<Result> = Generator<ApiRequest, Result, ApiAnswer>;

const BOUNDARY = 'weft-mail-and-its-metadata';

/** Sends or stores a mail: its facts as JSON, and the mail itself, which may be large. */
const upload = (path: string, facts: object, mail: Mail): ApiRequest => {
  const pieces: BodyPiece[] = [
    `--${BOUNDARY}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(facts)}\r\n`,
    `--${BOUNDARY}\r\nContent-Type: message/rfc822\r\n\r\n`,
    ...mailPieces(mail),
    `\r\n--${BOUNDARY}--\r\n`,
  ];
  const type = `multipart/related; boundary=${BOUNDARY}`;
  return {
    method: 'POST',
    api: 'gmail_upload',
    path,
    query: { uploadType: 'multipart' },
    body: { as: 'pieces', type, pieces },
  };
};

/** Ids of labels by their names. Throws NodeFailure CONFIG. */
function* labelIds(names: readonly string[]): Requests<string[]> {
  const { body } = yield { api, path: '/users/me/labels' };
  const known = (at(body, 'labels') ?? []) as { id: string; name: string }[];
  return names.map((name) => {
    const found =
      known.find((one) => one.id === name) ?? known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    throw new NodeFailure('CONFIG', `Gmail has no label "${name}".`, false);
  });
}

const modify = (id: string, change: object): ApiRequest => ({
  method: 'POST',
  api,
  path: `${messages}/${encodeURIComponent(id)}/modify`,
  body: { as: 'json', value: change },
});

const get = (id: string, format: 'full' | 'metadata'): ApiRequest => ({
  api,
  path: `${messages}/${encodeURIComponent(id)}`,
  query: { format },
});

/** An operation that changes the labels of a message. */
const marking = (id: string, title: string, help: string, change: object): ConnectorOperation =>
  stepped({
    id,
    title,
    help,
    limits,
    parameters: { message },
    *steps({ message: of }) {
      return (yield modify(of, change)).body;
    },
    example: { ...sent, labelIds: ['INBOX'] },
  });

export const gmail: ConnectorOperation[] = [
  stepped({
    id: 'gmail.send',
    title: 'Send an email',
    help: 'Sends from the connected account, with files of the run as attachments.',
    limits,
    parameters: { to: addresses('To').describe('Addresses, separated by commas'), ...content },
    *steps(mail) {
      return (yield upload(`${messages}/send`, {}, mail)).body;
    },
    example: sent,
  }),
  stepped({
    id: 'gmail.reply',
    title: 'Reply to an email',
    help: 'Answers in the same thread, to the sender or to all.',
    limits,
    parameters: {
      message,
      text: content.text,
      html: content.html,
      toAll: flag('Reply to all').optional().describe('Also to the other addresses of the message'),
      attachments: content.attachments,
    },
    *steps({ message: of, text: plain, html, toAll, attachments }) {
      const original = (yield get(of, 'metadata')).body;
      const header = (name: string) => headerOf(original, name) ?? undefined;
      const id = header('Message-ID');
      const subject = header('Subject') ?? '';
      const mail: Mail = {
        to: header('Reply-To') ?? header('From'),
        cc: toAll ? [header('To'), header('Cc')].filter(Boolean).join(', ') : undefined,
        subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
        text: plain,
        html,
        inReplyTo: id,
        references: [header('References'), id].filter(Boolean).join(' ') || undefined,
        attachments,
      };
      return (yield upload(`${messages}/send`, { threadId: at(original, 'threadId') }, mail)).body;
    },
    example: sent,
  }),
  stepped({
    id: 'gmail.create_draft',
    title: 'Create a draft',
    help: 'Stores an email as a draft.',
    limits,
    parameters: { to: addresses('To').optional().describe('Addresses, separated by commas'), ...content },
    *steps(mail) {
      return (yield upload('/users/me/drafts', {}, mail)).body;
    },
    example: { id: 'r-4286', message: sent },
  }),
  stepped({
    id: 'gmail.search',
    title: 'Search emails',
    help: 'Newest first, with their texts and the ids of attachments.',
    limits,
    parameters: {
      query: word('Search', 2000)
        .optional()
        .describe('As in Gmail, e.g. is:unread from:ada@example.com has:attachment'),
      labels: labels.optional(),
      limit: count('Emails', 100).optional().describe('At most 100; default 10'),
    },
    *steps({ query, labels: names = [], limit = 10 }) {
      const ids = names.length > 0 ? yield* labelIds(names) : [];
      const filter = ids.map((id) => `labelIds=${encodeURIComponent(id)}`).join('&');
      const listed = yield {
        api,
        path: filter ? `${messages}?${filter}` : messages,
        query: { q: query, maxResults: limit },
      };
      const found = (at(listed.body, 'messages') ?? []) as { id: string }[];
      const all: unknown[] = [];
      for (const { id } of found) all.push(messageOf((yield get(id, 'full')).body));
      return all;
    },
    example: [shown],
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
  stepped({
    id: 'gmail.get',
    title: 'Get an email',
    help: 'Sender, subject, texts and the ids of attachments.',
    limits,
    parameters: { message },
    *steps({ message: of }) {
      return messageOf((yield get(of, 'full')).body);
    },
    example: shown,
  }),
  stepped({
    id: 'gmail.get_attachment',
    title: 'Download an attachment',
    help: 'Stores an attachment as a file of the run.',
    limits,
    parameters: {
      message,
      attachment: word('Attachment', 2000).describe('Its id, as read with the email'),
      name: word('Name', 255).optional().describe('Name of the file; default attachment'),
      contentType: word('Content type', 200).optional().describe('e.g. application/pdf'),
    },
    *steps({ message: of, attachment, name = 'attachment', contentType = 'application/octet-stream' }) {
      const path = `${messages}/${encodeURIComponent(of)}/attachments/${encodeURIComponent(attachment)}`;
      return (yield { api, path, asFile: { name, contentType, base64At: 'data' } }).body;
    },
    example: { $file: 'file_…', name: 'invoice.pdf', contentType: 'application/pdf', size: 53_072, sha256: '…' },
  }),
  stepped({
    id: 'gmail.add_labels',
    title: 'Add labels to an email',
    help: 'Adds labels by their names or ids.',
    limits,
    parameters: { message, labels },
    *steps({ message: of, labels: names }) {
      return (yield modify(of, { addLabelIds: yield* labelIds(names) })).body;
    },
    example: sent,
  }),
  stepped({
    id: 'gmail.remove_labels',
    title: 'Remove labels from an email',
    help: 'Removes labels by their names or ids; without INBOX an email is archived.',
    limits,
    parameters: { message, labels },
    *steps({ message: of, labels: names }) {
      return (yield modify(of, { removeLabelIds: yield* labelIds(names) })).body;
    },
    example: sent,
  }),
  marking('gmail.mark_read', 'Mark an email as read', 'Removes the label UNREAD.', { removeLabelIds: ['UNREAD'] }),
  marking('gmail.mark_unread', 'Mark an email as unread', 'Adds the label UNREAD.', { addLabelIds: ['UNREAD'] }),
  stepped({
    id: 'gmail.trash',
    title: 'Move an email to the trash',
    help: 'It is deleted after 30 days.',
    limits,
    parameters: { message },
    *steps({ message: of }) {
      return (yield { method: 'POST', api, path: `${messages}/${encodeURIComponent(of)}/trash` }).body;
    },
    example: { ...sent, labelIds: ['TRASH'] },
  }),
  {
    id: 'gmail.list_labels',
    title: 'List labels',
    help: 'Labels of the system and of the user.',
    limits,
    method: 'GET',
    api,
    path: '/users/me/labels',
    items: 'labels',
    example: { labels: [{ id: 'Label_12', name: 'Customers', type: 'user' }] },
  },
];
