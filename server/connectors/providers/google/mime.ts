import MimeNode from 'nodemailer/lib/mime-node/index.js';
import type { FileValue } from '@/contract/file-value';
import { NodeFailure } from '@/server/errors/node-failure';
import type { BodyPiece } from '../../operation';

/** A mail before it is sent. Addresses are texts such as `Ada <ada@example.com>, bob@example.com`. */
export interface Mail {
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

const BREAK = '\r\n';
const CONTENT_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

/** A text in base64, in lines as mails have them. */
const encoded = (text: string): string =>
  (
    Buffer.from(text)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join(BREAK);

/** A part with its headers, which nodemailer writes and encodes. */
const part = (node: MimeNode, content: BodyPiece[]): BodyPiece[] => [
  `${node.buildHeaders()}${BREAK}${BREAK}`,
  ...content,
];

/** Parts between boundaries. Building the headers of the node makes the boundary. */
function parts(node: MimeNode, children: BodyPiece[][]): BodyPiece[] {
  const headers = node.buildHeaders();
  const line = `--${String(node.boundary)}`;
  return [
    `${headers}${BREAK}${BREAK}`,
    ...children.flatMap((child): BodyPiece[] => [`${line}${BREAK}`, ...child, BREAK]),
    `${line}--${BREAK}`,
  ];
}

type Child = (parent: MimeNode) => BodyPiece[];

const textChild =
  (type: 'plain' | 'html', content: string): Child =>
  (parent) => {
    const node = parent.createChild(`text/${type}; charset=utf-8`);
    node.setHeader('Content-Transfer-Encoding', 'base64');
    return part(node, [encoded(content)]);
  };

const fileChild =
  (file: FileValue): Child =>
  (parent) => {
    const type = CONTENT_TYPE.test(file.contentType) ? file.contentType : 'application/octet-stream';
    const node = parent.createChild(type, { filename: file.name.replaceAll(/[\r\n]/g, ' ') });
    node.setHeader('Content-Transfer-Encoding', 'base64');
    return part(node, [{ file, isBase64: true }]);
  };

/** A mail as it is sent (RFC 5322), with its attachments as pieces that are read later. Throws NodeFailure CONFIG. */
export function mailPieces(mail: Mail): BodyPiece[] {
  const { text, html, attachments = [], ...headers } = mail;
  const line = Object.values(headers).find((value) => /[\r\n]/.test(value ?? ''));
  if (line !== undefined)
    throw new NodeFailure('CONFIG', 'A line break is not allowed in an address or subject.', false);
  const bodies: Child[] = [
    ...(text !== undefined || html === undefined ? [textChild('plain', text ?? '')] : []),
    ...(html === undefined ? [] : [textChild('html', html)]),
  ];
  const alternative: Child = (parent) => {
    const node = parent.createChild('multipart/alternative');
    return parts(
      node,
      bodies.map((child) => child(node)),
    );
  };
  const children: Child[] = [...(bodies.length > 1 ? [alternative] : bodies), ...attachments.map(fileChild)];
  const root = new MimeNode('multipart/mixed');
  // Gmail sends to these addresses, and removes the header.
  root.keepBcc = true;
  const { inReplyTo, replyTo, ...others } = headers;
  const all = { ...others, 'reply-to': replyTo, 'in-reply-to': inReplyTo };
  for (const [name, value] of Object.entries(all)) if (value !== undefined && value !== '') root.setHeader(name, value);
  return parts(
    root,
    children.map((child) => child(root)),
  );
}
