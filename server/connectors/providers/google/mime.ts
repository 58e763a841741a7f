import MimeNode from 'nodemailer/lib/mime-node/index.js';
import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { BodyPiece } from '../../operation';

/** A mail before it is sent. Addresses are texts such as `Ada <ada@example.com>, bob@example.com`. */
export interface ComposedMail {
  from?: string | undefined;
  to?: string | undefined;
  cc?: string | undefined;
  bcc?: string | undefined;
  replyTo?: string | undefined;
  subject: string;
  text?: string | undefined;
  html?: string | undefined;
  inReplyTo?: string | undefined;
  references?: string | undefined;
  attachments?: readonly FileValue[] | undefined;
}

const MIME_LINE_BREAK = '\r\n';
const CONTENT_TYPE_PATTERN = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** Encodes a text as base64 in lines of 76 characters. */
const encodeBase64Lines = (text: string): string =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join(MIME_LINE_BREAK);

/** A part with its headers, which nodemailer writes and encodes. */
const mimePartPieces = (node: MimeNode, content: BodyPiece[]): BodyPiece[] => [
  `${node.buildHeaders()}${MIME_LINE_BREAK}${MIME_LINE_BREAK}`,
  ...content,
];

/** Joins parts with boundaries. The boundary exists once the headers of the node are built. */
function mimeMultipart(node: MimeNode, children: BodyPiece[][]): BodyPiece[] {
  const headers = node.buildHeaders();
  const line = `--${String(node.boundary)}`;
  return [
    `${headers}${MIME_LINE_BREAK}${MIME_LINE_BREAK}`,
    ...children.flatMap((child): BodyPiece[] => [`${line}${MIME_LINE_BREAK}`, ...child, MIME_LINE_BREAK]),
    `${line}--${MIME_LINE_BREAK}`,
  ];
}

type MimeChild = (parent: MimeNode) => BodyPiece[];

const textMimeChild =
  (type: 'plain' | 'html', content: string): MimeChild =>
  (parent) => {
    const node = parent.createChild(`text/${type}; charset=utf-8`);
    node.setHeader('Content-Transfer-Encoding', 'base64');
    return mimePartPieces(node, [encodeBase64Lines(content)]);
  };

const fileMimeChild =
  (file: FileValue): MimeChild =>
  (parent) => {
    const type = CONTENT_TYPE_PATTERN.test(file.contentType) ? file.contentType : 'application/octet-stream';
    const node = parent.createChild(type, { filename: file.name.replaceAll(/[\r\n]/g, ' ') });
    node.setHeader('Content-Transfer-Encoding', 'base64');
    return mimePartPieces(node, [{ file, isBase64: true }]);
  };

/**
 * Composes a mail in the format of RFC 5322. Its attachments are pieces that are read later. Throws NodeFailure CONFIG.
 */
export function buildMailPieces(mail: ComposedMail): BodyPiece[] {
  const { text, html, attachments = [], ...headers } = mail;
  const line = Object.values(headers).find((value) => /[\r\n]/.test(value ?? ''));
  if (line !== undefined)
    throw new NodeFailure('CONFIG', 'A line break is not allowed in an address or subject.', false);
  const bodies: MimeChild[] = [
    ...(text !== undefined || html === undefined ? [textMimeChild('plain', text ?? '')] : []),
    ...(html === undefined ? [] : [textMimeChild('html', html)]),
  ];
  const alternative: MimeChild = (parent) => {
    const node = parent.createChild('multipart/alternative');
    return mimeMultipart(
      node,
      bodies.map((child) => child(node)),
    );
  };
  const children: MimeChild[] = [...(bodies.length > 1 ? [alternative] : bodies), ...attachments.map(fileMimeChild)];
  const root = new MimeNode('multipart/mixed');
  // Gmail sends to these addresses, and removes the header.
  root.keepBcc = true;
  const { inReplyTo, replyTo, ...others } = headers;
  const all = { ...others, 'reply-to': replyTo, 'in-reply-to': inReplyTo };
  for (const [name, value] of Object.entries(all)) if (value !== undefined && value !== '') root.setHeader(name, value);
  return mimeMultipart(
    root,
    children.map((child) => child(root)),
  );
}
