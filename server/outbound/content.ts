import { EvaluationFailed, readLargeBody, type Purpose } from '@/server/evaluation/evaluation';
import { isLarge, jsonOf, MAX_PARSED, type LargeJson } from '@/server/expressions/large-json';
import type { OutboundResponse } from './outbound';
import type { BodyReading } from '@/server/evaluation/jobs';
import { readBody, shownText } from '@/server/evaluation/read-body';
import { NodeFailure } from '@/server/errors/node-failure';

/** The body to send, and its default Content-Type. */
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

/** A value as text: of a form field, or of a plain body. */
export const asField = (value: unknown) =>
  typeof value === 'object' ? (jsonOf(value) ?? '') : requireWhole(String(value));

/** A text that UTF-8 can hold: half of a surrogate pair would become U+FFFD. Throws NodeFailure CONFIG. */
function requireWhole(text: string): string {
  if (text.isWellFormed()) return text;
  throw new NodeFailure('CONFIG', 'A text to send has half of a surrogate pair, which UTF-8 cannot hold.', false);
}

const isForm = (type: string) => type.toLowerCase().startsWith('application/x-www-form-urlencoded');

/** A body as text: text unchanged, a flat object as a form if `type` is one, anything else as JSON. */
export function encode(body: unknown, type = ''): Content {
  if (body === undefined || body === null) return { headers: {} };
  if (isLarge(body)) return encodeLarge(body, type);
  if (typeof body === 'string') {
    const guess = /^\s*[[{]/.test(body) && isJson(body) ? 'application/json' : 'text/plain; charset=utf-8';
    return { body: requireWhole(body), headers: { 'content-type': guess } };
  }
  if (isForm(type) && typeof body === 'object') {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) {
      for (const each of [value].flat() as unknown[]) if (each !== null) form.append(name, asField(each));
    }
    return { body: form.toString(), headers: {} };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** The same for a large body. The first and last character decide whether a large text is JSON. */
function encodeLarge({ text }: LargeJson, type: string): Content {
  if (text.startsWith('"')) {
    const body = JSON.parse(text) as string;
    const ends = `${body.trimStart()[0]}${body.trimEnd().at(-1)}`;
    const guess = ends === '[]' || ends === '{}' ? 'application/json' : 'text/plain; charset=utf-8';
    return { body: requireWhole(body), headers: { 'content-type': guess } };
  }
  if (isForm(type)) return encode(JSON.parse(text), type);
  return { body: text, headers: { 'content-type': 'application/json' } };
}

/** The body of a response in the requested form; see `readBody`. */
export const bodyOf = ({ body, headers }: OutboundResponse, as: BodyReading): unknown =>
  readBody(body, headers['content-type'] ?? '', as);

/** The body of a refusal, for people: it is read even if parts of it are no text. */
export const refusalIn = ({ body, headers }: OutboundResponse): unknown =>
  readBody(body, headers['content-type'] ?? '', 'auto', shownText);

/** The same as `bodyOf` for a body of any size: an evaluator process reads large ones. Throws NodeFailure. */
export async function valueOfBody(answer: OutboundResponse, as: BodyReading, purpose: Purpose): Promise<unknown> {
  if (answer.body.length <= MAX_PARSED) return bodyOf(answer, as);
  try {
    return await readLargeBody(answer.body, answer.headers['content-type'] ?? '', as, purpose);
  } catch (error) {
    throw error instanceof EvaluationFailed ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

const LONGEST_MS = 3_600_000;

/** Retry-After (seconds or a date) in milliseconds from now; 0 without one. At most an hour. */
export function retryAfterOf(header: string | undefined, now = Date.now()): number {
  if (!header) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.min(LONGEST_MS, Math.max(0, milliseconds)) : 0;
}
