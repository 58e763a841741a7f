import type { FileValue } from '@/contract/file-value';
import addressparser from 'nodemailer/lib/addressparser/index.js';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequestBody, BodyPiece } from '../../operation';
import {
  choiceParameter,
  contentLineParameter,
  fileListParameter,
  listedJoinedParameter,
  listedLineParameter,
  multilineParameter,
} from '../../parameters';
import { encodePathPart } from './graph-parts';

// https://learn.microsoft.com/graph/api/resources/message

export const outlookMessageId = listedLineParameter('Email', 'messages', [], 2000).describe('Id of the email');
export const outlookFolderId = (title: string) =>
  listedLineParameter(title, 'mailFolders', [], 2000).describe(
    'Its id, or a name of Outlook: inbox, drafts, sentitems, deleteditems, archive',
  );

const addressesParameter = (title: string) => listedJoinedParameter(title, 'emailAddresses').optional();

export const outlookContentParameters = {
  text: multilineParameter('Text', 1_000_000).optional().describe('The message as plain text'),
  html: multilineParameter('HTML', 1_000_000).optional().describe('The message as HTML, in place of the text'),
};
export const outlookMailParameters = {
  to: addressesParameter('To').describe('Addresses, separated by commas'),
  subject: contentLineParameter('Subject', 255).optional().describe('One line'),
  ...outlookContentParameters,
  cc: addressesParameter('Cc').describe('Addresses, separated by commas'),
  bcc: addressesParameter('Bcc').describe('Addresses, separated by commas'),
  replyTo: addressesParameter('Reply to').describe('Addresses for answers'),
  importance: choiceParameter('Importance', ['low', 'normal', 'high']).optional().describe('Default normal'),
};
export const outlookAttachments = fileListParameter('Attachments').optional();

export const outlookMessageExample = {
  id: 'AAMkAGVmMDEzMTM4LTZmYWUtNDdkNC1hMDZiLTU1OGY5OTZhYmY4OABGAAAAAAAi',
  receivedDateTime: '2026-01-31T08:15:30Z',
  subject: 'Invoice 42',
  bodyPreview: 'Please find attached',
  importance: 'normal',
  isRead: false,
  hasAttachments: true,
  from: { emailAddress: { name: 'Ada', address: 'ada@example.com' } },
  toRecipients: [{ emailAddress: { name: 'Me', address: 'me@example.com' } }],
  body: { contentType: 'html', content: '<p>Please find attached …</p>' },
};

export const outlookMessagePath = (id: string, part = ''): string => `/me/messages/${encodePathPart(id)}${part}`;

export interface OutlookMail {
  to?: string | undefined;
  cc?: string | undefined;
  bcc?: string | undefined;
  replyTo?: string | undefined;
  subject?: string | undefined;
  text?: string | undefined;
  html?: string | undefined;
  importance?: string | undefined;
}

/** Addresses such as `Ada <ada@example.com>, bob@example.com` as Graph takes them. Throws NodeFailure CONFIG. */
export function toGraphRecipients(addresses: string | undefined): object[] | undefined {
  if (addresses === undefined) return undefined;
  return addressparser(addresses, { flatten: true }).map(({ name, address }) => {
    if (!/^[^@\s]+@[^@\s]+$/.test(address))
      throw new NodeFailure('CONFIG', `"${address || name}" is not an email address.`, false);
    return { emailAddress: { address, ...(name ? { name } : {}) } };
  });
}

export const toGraphBody = (text: string | undefined, html: string | undefined): object | undefined =>
  html !== undefined
    ? { contentType: 'html', content: html }
    : text === undefined
      ? undefined
      : { contentType: 'text', content: text };

/** A message as Graph takes it. */
export const toGraphMessage = ({ to, cc, bcc, replyTo, subject, text, html, importance }: OutlookMail): object => ({
  subject,
  importance,
  body: toGraphBody(text, html),
  toRecipients: toGraphRecipients(to),
  ccRecipients: toGraphRecipients(cc),
  bccRecipients: toGraphRecipients(bcc),
  replyTo: toGraphRecipients(replyTo),
});

/** https://learn.microsoft.com/graph/outlook-large-attachments: larger ones need a session of uploads. */
const MAX_ATTACHED_BYTES = 3 * 1024 * 1024;

function requireAttachableSize(files: readonly FileValue[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes < MAX_ATTACHED_BYTES) return;
  throw new NodeFailure(
    'TOO_LARGE',
    'Outlook takes attachments of less than 3 MB together: send a link instead.',
    false,
  );
}

/** An attachment as JSON, whose content is read when it is sent. */
export function outlookAttachmentPieces(file: FileValue): BodyPiece[] {
  requireAttachableSize([file]);
  const { name, contentType } = file;
  const facts = JSON.stringify({ '@odata.type': '#microsoft.graph.fileAttachment', name, contentType });
  return [`${facts.slice(0, -1)},"contentBytes":"`, { file, isBase64: true }, '"}'];
}

/** A body with a message and its attachments, whose contents are read while it is sent. */
export function outlookMessageBody(
  message: object,
  files: readonly FileValue[],
  wrap: { at: string; others?: object } | undefined,
): ApiRequestBody {
  const value = wrap ? { [wrap.at]: message, ...wrap.others } : message;
  if (files.length === 0) return { as: 'json', value };
  requireAttachableSize(files);
  const attachments = files.flatMap((file, index): BodyPiece[] => [
    ...(index === 0 ? [] : [',']),
    ...outlookAttachmentPieces(file),
  ]);
  const begun = JSON.stringify(message).slice(0, -1);
  const inner: BodyPiece[] = [`${begun}${begun === '{' ? '' : ','}"attachments":[`, ...attachments, ']}'];
  const others = JSON.stringify(wrap?.others ?? {}).slice(1, -1);
  const pieces: BodyPiece[] = wrap
    ? [`{${JSON.stringify(wrap.at)}:`, ...inner, `${others === '' ? '' : `,${others}`}}`]
    : inner;
  return { as: 'pieces', type: 'application/json', pieces };
}
