import { at } from '@/server/expressions/dotted-path';

/** A message of Gmail in short. */
export interface Message {
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

interface Part {
  mimeType?: string;
  filename?: string;
  headers?: { name?: string; value?: string }[];
  body?: { data?: string; attachmentId?: string; size?: number };
  parts?: Part[];
}

const all = (part: Part): Part[] => [part, ...(part.parts ?? []).flatMap(all)];

/** A header of a message, by its name. */
export function headerOf(message: unknown, name: string): string | null {
  const { headers = [] } = (at(message, 'payload') ?? {}) as Part;
  return headers.find((one) => one.name?.toLowerCase() === name.toLowerCase())?.value ?? null;
}

const textOf = ({ body }: Part): string => Buffer.from(body?.data ?? '', 'base64url').toString('utf8');

/** The message as the API returns it in the format `full` or `metadata`. */
export function messageOf(message: unknown): Message {
  const parts = all((at(message, 'payload') ?? {}) as Part);
  const textIn = (type: string) => {
    const found = parts.find(({ mimeType, filename, body }) => mimeType === type && !filename && body?.data);
    return found ? textOf(found) : null;
  };
  const internalDate = Number(at(message, 'internalDate'));
  const hasDate = Number.isFinite(internalDate) && internalDate > 0;
  return {
    id: at(message, 'id'),
    threadId: at(message, 'threadId'),
    from: headerOf(message, 'From'),
    to: headerOf(message, 'To'),
    cc: headerOf(message, 'Cc'),
    subject: headerOf(message, 'Subject'),
    date: hasDate ? new Date(internalDate).toISOString() : null,
    timestamp: hasDate ? Math.floor(internalDate / 1000) : null,
    labels: at(message, 'labelIds') ?? [],
    snippet: at(message, 'snippet') ?? '',
    text: textIn('text/plain'),
    html: textIn('text/html'),
    attachments: parts.flatMap(({ filename, mimeType = '', body }) =>
      filename && body?.attachmentId
        ? [{ id: body.attachmentId, name: filename, contentType: mimeType, size: body.size ?? 0 }]
        : [],
    ),
  };
}
