import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequest, ApiResponse, BodyPiece, OperationSteps } from '../../operation';
import {
  booleanParameter,
  contentLineParameter,
  fileListParameter,
  listedLineListParameter,
  listedLineParameter,
  multilineParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { messageHeader } from './gmail-message';
import { buildMailPieces, type ComposedMail } from './mime';

// https://developers.google.com/workspace/gmail/api/reference/rest
export const GMAIL_API = 'gmail';
export const GMAIL_MESSAGES_PATH = '/users/me/messages';
export const mailAddressParameter = (title: string) => valueLineParameter(title, 'address', 10_000);
export const gmailMessageId = listedLineParameter('Message', 'messages').describe('Id of the message');
export const mailContentParameters = {
  subject: contentLineParameter('Subject', 1000).describe('One line'),
  text: multilineParameter('Text', 1_000_000).optional().describe('The message as plain text'),
  html: multilineParameter('HTML', 1_000_000)
    .optional()
    .describe('The message as HTML; the text is for programs that show none'),
  cc: mailAddressParameter('Cc').optional().describe('Addresses, separated by commas'),
  bcc: mailAddressParameter('Bcc').optional().describe('Addresses, separated by commas'),
  replyTo: mailAddressParameter('Reply to').optional().describe('Address for answers'),
  from: listedLineParameter('From', 'senders', [], 10_000)
    .optional()
    .describe('One of the sender addresses of the account; empty: its main one'),
  attachments: fileListParameter('Attachments').optional(),
};
export const gmailLabels = listedLineListParameter('Labels', 'labels').describe(
  'Names or ids of labels, e.g. INBOX, STARRED, Customers',
);

// https://developers.google.com/workspace/gmail/api/reference/quota
export const gmailRateLimit = '15,000 units a minute for a user; sending costs 100, reading 5.';
export const sentMailExample = { id: '19a2b3c4d5e6f708', threadId: '19a2b3c4d5e6f708', labelIds: ['SENT'] };
export const gmailMessageExample = {
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

export type GmailRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

const UPLOAD_BOUNDARY = 'weft-mail-and-its-metadata';

/** Sends or stores a mail: its facts as JSON, and the mail itself, which may be large. */
export const mailUploadRequest = (path: string, facts: object, mail: ComposedMail): ApiRequest => {
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
export function* resolveLabelIds(names: readonly string[]): GmailRequests<string[]> {
  const { body } = yield { api: GMAIL_API, path: '/users/me/labels' };
  const known = (getAtPath(body, 'labels') ?? []) as { id: string; name: string }[];
  return names.map((name) => {
    const found =
      known.find((one) => one.id === name) ?? known.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found) return found.id;
    throw new NodeFailure('CONFIG', `Gmail has no label "${name}".`, false);
  });
}

/** Changes the labels of a message or of a thread. */
export const modifyLabels = (path: string, id: string, change: object): ApiRequest => ({
  method: 'POST',
  api: GMAIL_API,
  path: `${path}/${encodeURIComponent(id)}/modify`,
  body: { as: 'json', value: change },
});

export const getMessageRequest = (id: string, format: 'full' | 'metadata'): ApiRequest => ({
  api: GMAIL_API,
  path: `${GMAIL_MESSAGES_PATH}/${encodeURIComponent(id)}`,
  query: { format },
});

interface MailReply {
  text?: string | undefined;
  html?: string | undefined;
  toAll?: boolean | undefined;
  attachments?: FileValue[] | undefined;
}

/** The parameters of an answer. */
export const mailReplyParameters = {
  text: mailContentParameters.text,
  html: mailContentParameters.html,
  toAll: booleanParameter('Reply to all').optional().describe('Also to the other addresses of the message'),
  attachments: mailContentParameters.attachments,
};

/** Answers a message, of which the headers were read, in its thread. */
export function* replyToMessage(original: unknown, { text, html, toAll, attachments }: MailReply): OperationSteps {
  const header = (name: string) => messageHeader(original, name) ?? undefined;
  const id = header('Message-ID');
  const subject = header('Subject') ?? '';
  const mail: ComposedMail = {
    to: header('Reply-To') ?? header('From'),
    cc: toAll ? [header('To'), header('Cc')].filter(Boolean).join(', ') : undefined,
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    text,
    html,
    inReplyTo: id,
    references: [header('References'), id].filter(Boolean).join(' ') || undefined,
    attachments,
  };
  const facts = { threadId: getAtPath(original, 'threadId') };
  return (yield mailUploadRequest(`${GMAIL_MESSAGES_PATH}/send`, facts, mail)).body;
}
