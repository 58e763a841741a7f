import {
  EvaluationFailedError,
  parseLargeBody,
  type EvaluationContext,
} from '@/server/evaluation/evaluator/evaluation';
import {
  isLargeJson,
  serializeJson,
  MAX_PARSED_JSON,
  type LargeJsonText,
} from '@/server/evaluation/expressions/large-json';
import type { OutboundResponse } from './outbound';
import type { BodyReadingMode } from '@/server/evaluation/evaluator/jobs';
import { parseBodyByType, showBodyText } from '@/server/evaluation/evaluator/read-body';
import { NodeFailure } from '@/server/platform/errors/node-failure';

/** The body to send, and its default Content-Type. */
export interface EncodedRequestBody {
  body?: string;
  headers: Record<string, string>;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A value as text: of a form field, or of a plain body. */
export const formFieldText = (value: unknown) =>
  typeof value === 'object' ? (serializeJson(value) ?? '') : requireWellFormedText(String(value));

/** A text that UTF-8 can hold: half of a surrogate pair would become U+FFFD. Throws NodeFailure CONFIG. */
function requireWellFormedText(text: string): string {
  if (text.isWellFormed()) return text;
  throw new NodeFailure('CONFIG', 'A text to send has half of a surrogate pair, which UTF-8 cannot hold.', false);
}

const isFormType = (type: string) => type.toLowerCase().startsWith('application/x-www-form-urlencoded');

/** A body as text: text unchanged, a flat object as a form if `type` is one, anything else as JSON. */
export function encodeRequestBody(body: unknown, type = ''): EncodedRequestBody {
  if (body === undefined || body === null) return { headers: {} };
  if (isLargeJson(body)) return encodeLargeBody(body, type);
  if (typeof body === 'string') {
    const guess = /^\s*[[{]/.test(body) && isJsonText(body) ? 'application/json' : 'text/plain; charset=utf-8';
    return { body: requireWellFormedText(body), headers: { 'content-type': guess } };
  }
  if (isFormType(type) && typeof body === 'object') {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(body)) {
      for (const each of [value].flat() as unknown[]) if (each !== null) form.append(name, formFieldText(each));
    }
    return { body: form.toString(), headers: {} };
  }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

/** Encodes a large body. The first and last character decide whether a large text is JSON. */
function encodeLargeBody({ text }: LargeJsonText, type: string): EncodedRequestBody {
  if (text.startsWith('"')) {
    const body = JSON.parse(text) as string;
    const ends = `${body.trimStart()[0]}${body.trimEnd().at(-1)}`;
    const guess = ends === '[]' || ends === '{}' ? 'application/json' : 'text/plain; charset=utf-8';
    return { body: requireWellFormedText(body), headers: { 'content-type': guess } };
  }
  if (isFormType(type)) return encodeRequestBody(JSON.parse(text), type);
  return { body: text, headers: { 'content-type': 'application/json' } };
}

/** The body of a response in the requested form; see `parseBodyByType`. */
export const parseResponseBody = ({ body, headers }: OutboundResponse, as: BodyReadingMode): unknown =>
  parseBodyByType(body, headers['content-type'] ?? '', as);

/** The body of a refusal, for people: it is read even if parts of it are no text. */
export const readRefusalBody = ({ body, headers }: OutboundResponse): unknown =>
  parseBodyByType(body, headers['content-type'] ?? '', 'auto', showBodyText);

/** Parses a body of any size like `parseResponseBody`; an evaluator process reads large ones. Throws NodeFailure. */
export async function parseResponseOfAnySize(
  answer: OutboundResponse,
  as: BodyReadingMode,
  purpose: EvaluationContext,
): Promise<unknown> {
  if (answer.body.length <= MAX_PARSED_JSON) return parseResponseBody(answer, as);
  try {
    return await parseLargeBody(answer.body, answer.headers['content-type'] ?? '', as, purpose);
  } catch (error) {
    throw error instanceof EvaluationFailedError ? new NodeFailure(error.failure.code, error.message, false) : error;
  }
}

const MAX_RETRY_AFTER_WAIT_MS = 3_600_000;

/** Retry-After (seconds or a date) in milliseconds from now; 0 without one. At most an hour. */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number {
  if (!header) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.min(MAX_RETRY_AFTER_WAIT_MS, Math.max(0, milliseconds)) : 0;
}
