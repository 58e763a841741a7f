import { parseExactIntegers } from '@/contract/exact-json';
import { formPairs } from './form-encoding';
import { UnreadableText } from './text-encoding';

/** Deeper than any legitimate document, and far below what recursive code can handle. */
export const MAX_DEPTH = 200;

/** More fields than any form has; parsing a body of tiny fields would take long. */
const MAX_FIELDS = 10_000;

/** What the body of a request is, by its content type. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'file';

/** Anything that is neither text nor a form is a file. */
export function bodyKindOf(contentType: string | null): BodyKind {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return /^text\/|^application\/xml$|\+xml$/.test(type) ? 'text' : 'file';
}

/** Why a body cannot be read. */
export class UnreadableBody extends Error {}

const decoder = new TextDecoder('utf-8', { fatal: true });

function text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new UnreadableBody('The body is not valid UTF-8.');
  }
}

/**
 * The JSON value of a body; integers that a double would round are texts of their digits. Refuses what cannot be stored unchanged: invalid UTF-8, nesting beyond `MAX_DEPTH`, numbers too large for a double.
 * Throws UnreadableBody.
 */
export function jsonIn(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = parseExactIntegers(text(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnreadableBody('The body is not valid JSON.');
    throw error;
  }
  checkValues(value);
  return value;
}

function checkValues(root: unknown): void {
  // Iterative, level by level: a body of a million brackets must not exhaust the stack.
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw new UnreadableBody(`The body is nested more than ${MAX_DEPTH} levels deep.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new UnreadableBody('The body contains a number that is too large.');
      }
      if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
}

function countOf(bytes: Uint8Array, separator: string): number {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 1;
  for (let at = body.indexOf(separator); at !== -1 && count <= MAX_FIELDS; at = body.indexOf(separator, at + 1))
    count++;
  return count;
}

/** The fields of a form (application/x-www-form-urlencoded) as an object. `charset`: of its content type. Throws UnreadableBody. */
export function formIn(bytes: Uint8Array, charset?: string): unknown {
  if (countOf(bytes, '&') > MAX_FIELDS) throw new UnreadableBody(`The form has more than ${MAX_FIELDS} fields.`);
  return objectOf(pairsIn(bytes, charset));
}

function pairsIn(bytes: Uint8Array, charset: string | undefined): [string, string][] {
  try {
    return formPairs(bytes, charset);
  } catch (error) {
    throw error instanceof UnreadableText ? new UnreadableBody(`The form cannot be read. ${error.message}`) : error;
  }
}

/** Names and values as an object; a repeated name has the list of its values. */
export function objectOf<Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value | Value[]> {
  const lists = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] as Value) : list]));
}
