import { parseExactIntegers } from '@/contract/exact-json';
import { parseFormPairs } from './form-encoding';
import { parseJsonInPieces, type JsonParseLimits } from './json-in-pieces';
import { UnreadableTextError } from './text-encoding';

/** Deeper than any legitimate document, and far below what recursive code can handle. */
export const MAX_BODY_DEPTH = 200;

/** No form has more fields than this, and parsing a body of tiny fields would take long. */
export const MAX_BODY_FIELDS = 10_000;

/** What the body of a request is, by its content type. */
export type RequestBodyType = 'json' | 'form' | 'multipart' | 'text' | 'file';

/** Anything that is neither text nor a form is a file. */
export function requestBodyType(contentType: string | null): RequestBodyType {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'multipart';
  return /^text\/|^application\/xml$|\+xml$/.test(type) ? 'text' : 'file';
}

/** Why a body cannot be read. */
export class UnreadableBodyError extends Error {}

const strictUtf8Decoder = new TextDecoder('utf-8', { fatal: true });

function decodeStrictUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8Decoder.decode(bytes);
  } catch {
    throw new UnreadableBodyError('The body is not valid UTF-8.');
  }
}

/**
 * The JSON value of a body; integers that a double would round are texts of their digits. Refuses what cannot be stored
 * unchanged: invalid UTF-8, nesting beyond `MAX_BODY_DEPTH`, numbers too large for a double. Also refuses more than
 * `maxValues` commas, before it is parsed. Throws UnreadableBody.
 */
export function parseJsonBody(bytes: Uint8Array, maxValues = Infinity): unknown {
  if (bytes.length > maxValues && byteOccursMoreThan(maxValues, ',', bytes))
    throw new UnreadableBodyError(LIMIT_MESSAGES.values(maxValues));
  let value: unknown;
  try {
    value = parseExactIntegers(decodeStrictUtf8(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UnreadableBodyError('The body is not valid JSON.');
    throw error;
  }
  checkStorableValues(value);
  return value;
}

/** Bytes of JSON that take a few milliseconds to parse, whatever they are. */
export const MAX_PARSED_AT_ONCE = 16 * 1024;

const LIMIT_MESSAGES: Record<keyof JsonParseLimits, (most: number) => string> = {
  depth: (most) => `The body is nested more than ${most} levels deep.`,
  values: (most) => `The body has more than ${most} values.`,
  fields: (most) => `An object of the body has more than ${most} fields.`,
};

/**
 * The same for a body of any size and at most so many values: in pieces, between which others get their turn. Rejects
 * with UnreadableBody.
 */
export async function parseLargeJsonBody(
  bytes: Uint8Array,
  { values, fields = MAX_BODY_FIELDS }: { values: number; fields?: number },
): Promise<unknown> {
  if (bytes.length <= MAX_PARSED_AT_ONCE) return parseJsonBody(bytes);
  const limits = { depth: MAX_BODY_DEPTH, values, fields };
  try {
    return await parseJsonInPieces(decodeStrictUtf8(bytes), limits, {
      parse: parseExactIntegers,
      check: checkStorableValues,
      exceeded: (limit) => new UnreadableBodyError(LIMIT_MESSAGES[limit](limits[limit])),
    });
  } catch (error) {
    throw error instanceof SyntaxError ? new UnreadableBodyError('The body is not valid JSON.') : error;
  }
}

function checkStorableValues(root: unknown): void {
  // Iterative, level by level: a body of a million brackets must not exhaust the stack.
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_BODY_DEPTH)
      throw new UnreadableBodyError(`The body is nested more than ${MAX_BODY_DEPTH} levels deep.`);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new UnreadableBodyError('The body contains a number that is too large.');
      }
      if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) next.push(inner);
    }
    level = next;
  }
}

/** Whether a byte occurs more than `most` times. */
function byteOccursMoreThan(most: number, separator: string, bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = body.indexOf(separator); at !== -1 && count <= most; at = body.indexOf(separator, at + 1)) count++;
  return count > most;
}

/**
 * The fields of a form (application/x-www-form-urlencoded) in their order: the only function that reads such forms, for
 * every address. They are counted before they are read. `charset`: of the content type. Throws UnreadableBody.
 */
export function parseUrlEncodedFields(
  bytes: Uint8Array,
  { maxFields = MAX_BODY_FIELDS, charset }: { maxFields?: number; charset?: string | undefined } = {},
): [string, string][] {
  if (byteOccursMoreThan(maxFields - 1, '&', bytes))
    throw new UnreadableBodyError(`The form has more than ${maxFields} fields.`);
  try {
    return parseFormPairs(bytes, charset);
  } catch (error) {
    throw error instanceof UnreadableTextError
      ? new UnreadableBodyError(`The form cannot be read. ${error.message}`)
      : error;
  }
}

/** The fields of a form as an object. Throws UnreadableBody. */
export const parseFormBody = (bytes: Uint8Array, charset?: string): unknown =>
  groupPairsByName(parseUrlEncodedFields(bytes, { charset }));

/** Names and values as an object; a repeated name has the list of its values. */
export function groupPairsByName<Value>(pairs: Iterable<readonly [string, Value]>): Record<string, Value | Value[]> {
  const lists = new Map<string, Value[]>();
  for (const [name, value] of pairs) {
    const list = lists.get(name);
    if (list) list.push(value);
    else lists.set(name, [value]);
  }
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length === 1 ? (list[0] as Value) : list]));
}
