import { getAtPath } from '@/server/evaluation/expressions/dotted-path';

/** A message of Gmail as operations return it. */
export interface GmailMessage {
  id: unknown;
  threadId: unknown;
  from: string | null;
  to: string | null;
  cc: string | null;
  subject: string | null;
  /** When it arrived, in ISO 8601; `timestamp` in seconds. */
  date: string | null;
  timestamp: number | null;
  labels: unknown;
  snippet: unknown;
  text: string | null;
  html: string | null;
  attachments: { id: unknown; name: string; contentType: string; size: unknown }[];
}

interface GmailMessagePart {
  mimeType?: string;
  filename?: string;
  headers?: { name?: string; value?: string }[];
  body?: { data?: string; attachmentId?: string; size?: number };
  parts?: GmailMessagePart[];
}

const flattenMessageParts = (part: GmailMessagePart): GmailMessagePart[] => [
  part,
  ...(part.parts ?? []).flatMap(flattenMessageParts),
];

/** A header of a message, by its name. */
export function messageHeader(message: unknown, name: string): string | null {
  const { headers = [] } = (getAtPath(message, 'payload') ?? {}) as GmailMessagePart;
  return headers.find((one) => one.name?.toLowerCase() === name.toLowerCase())?.value ?? null;
}

const decodePartText = ({ body }: GmailMessagePart): string =>
  Buffer.from(body?.data ?? '', 'base64url').toString('utf8');

/** The message as the API returns it in the format `full` or `metadata`. */
export function toGmailMessage(message: unknown): GmailMessage {
  const parts = flattenMessageParts((getAtPath(message, 'payload') ?? {}) as GmailMessagePart);
  const textIn = (type: string) => {
    const found = parts.find(({ mimeType, filename, body }) => mimeType === type && !filename && body?.data);
    return found ? decodePartText(found) : null;
  };
  const internalDate = Number(getAtPath(message, 'internalDate'));
  const hasDate = Number.isFinite(internalDate) && internalDate > 0;
  return {
    id: getAtPath(message, 'id'),
    threadId: getAtPath(message, 'threadId'),
    from: messageHeader(message, 'From'),
    to: messageHeader(message, 'To'),
    cc: messageHeader(message, 'Cc'),
    subject: messageHeader(message, 'Subject'),
    date: hasDate ? new Date(internalDate).toISOString() : null,
    timestamp: hasDate ? Math.floor(internalDate / 1000) : null,
    labels: getAtPath(message, 'labelIds') ?? [],
    snippet: getAtPath(message, 'snippet') ?? '',
    text: textIn('text/plain'),
    html: textIn('text/html'),
    attachments: parts.flatMap(({ filename, mimeType = '', body }) =>
      filename && body?.attachmentId
        ? [{ id: body.attachmentId, name: filename, contentType: mimeType, size: body.size ?? 0 }]
        : [],
    ),
  };
}
