import { isUtf8 } from 'node:buffer';
import type { OutboundResponse } from '../outbound';
import { NodeFailure } from './node';

/** What is sent, and the Content-Type that it has unless the author gives one. */
export interface Content {
  body?: string;
  headers: Record<string, string>;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const asField = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** A body as text for the wire: text as it is, a flat object as a form if `type` says so, anything else as JSON. */
export function encode(body: unknown, type = ''): Content {
  if (body === undefined || body === null) return { headers: {} };
  if (typeof body === 'string') {
    const guess = /^\s*[[{]/.test(body) && isJson(body) ? 'application/json' : 'text/plain; charset=utf-8';
    return { body, headers: { 'content-type': guess } };
  }
  if (type.toLowerCase().startsWith('application/x-www-form-urlencoded') && typeof body === 'object') {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) {
      for (const each of [value].flat() as unknown[]) if (each !== null) form.append(name, asField(each));
    }
    return { body: form.toString(), headers: {} };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

export type ResponseType = 'auto' | 'json' | 'text' | 'base64';

const JSON_TYPE = /^[^;]*[/+]json\b/i;
const TEXT_TYPE = /^\s*text\/|^[^;]*[/+](xml|javascript|x-www-form-urlencoded|yaml|graphql|csv)\b/i;

export function textOf(body: Buffer, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([^";\s]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    // A charset that nobody knows: what it most likely is.
    return new TextDecoder().decode(body);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NodeFailure('RESPONSE_NOT_JSON', 'The answer is not JSON.', false);
  }
}

/** True for a body that people can read. */
export const isReadable = (body: Buffer, type: string): boolean =>
  JSON_TYPE.test(type) || TEXT_TYPE.test(type) || (type === '' && isUtf8(body));

/** An answer's body as the author wants it. `auto` goes by Content-Type; bytes that are no text become base64. */
export function bodyOf({ body, headers }: OutboundResponse, as: ResponseType): unknown {
  const type = headers['content-type'] ?? '';
  if (as === 'base64') return body.toString('base64');
  if (as === 'text') return textOf(body, type);
  if (body.length === 0) return null;
  if (as === 'json') return jsonOf(textOf(body, type));
  if (JSON_TYPE.test(type)) {
    const text = textOf(body, type);
    return isJson(text) ? jsonOf(text) : text;
  }
  return isReadable(body, type) ? textOf(body, type) : body.toString('base64');
}

const LONGEST_MS = 3_600_000;

/** Retry-After (seconds or a date) in milliseconds from now; 0 for none. At most an hour. */
export function retryAfterOf(header: string | undefined, now = Date.now()): number {
  if (!header) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.min(LONGEST_MS, Math.max(0, milliseconds)) : 0;
}
