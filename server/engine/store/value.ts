import { YieldTimer } from '@/server/platform/timers/cooperative';
import { measureJsonDepth, MAX_JSON_NESTING } from '@/server/evaluation/expressions/json-depth';
import { parseUnlessLarge, isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { NodeFailure } from '@/server/platform/errors/node-failure';

export const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;

/** A value as it is stored and as later readers receive it; large values as text. */
export interface NormalizedValue {
  json: string;
  value: unknown;
}

/**
 * Normalizes a value for storage. Later nodes receive the stored form, so that a run behaves the same after a crash:
 * `undefined` becomes null, dates become texts. Throws NodeFailure OUTPUT_TOO_LARGE, OUTPUT_TOO_DEEP,
 * OUTPUT_NOT_JSON or TOO_MANY_FILES.
 */
export function normalizeValue(value: unknown): NormalizedValue {
  const json = normalizeJson(value);
  return { json, value: parseUnlessLarge(json) };
}

/** Normalizes a value that no later node reads. */
export function normalizeJson(value: unknown): string {
  let json: string | undefined;
  try {
    json = serializeJson(value);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeepFailure();
    throw new NodeFailure('OUTPUT_NOT_JSON', 'The output can not be written as JSON.', false);
  }
  if (json === undefined) return 'null';
  // One UTF-16 unit takes at most three bytes.
  if (json.length * 3 > MAX_OUTPUT_BYTES && Buffer.byteLength(json) > MAX_OUTPUT_BYTES) {
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The output is larger than 10 MiB.', false);
  }
  if (hasTooManyFiles(json)) {
    throw new NodeFailure('TOO_MANY_FILES', `The output names more than ${MAX_FILES_PER_VALUE} files.`, false);
  }
  // The depth of a large value was checked when it was created.
  if (!isLargeJson(value) && json.length > 2 * MAX_JSON_NESTING && measureJsonDepth(json) > MAX_JSON_NESTING)
    throw tooDeepFailure();
  return json;
}

/** Maximum number of files that one value may name: the database records each of them with the value. */
export const MAX_FILES_PER_VALUE = 1000;
/**
 * Matches the key `$file` in every way that JSON can write it, as `names_files` of the database does. No text matches:
 * its quotes are escaped.
 */
const FILE_KEY_PATTERN = /"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"/g;

/** Shorter JSON cannot name more files than allowed: this counts the shortest way to write the key and a separator. */
const MIN_CHECKED_CHARACTERS = MAX_FILES_PER_VALUE * '"$file":'.length;

/** Whether JSON names more files than a value may. */
export function hasTooManyFiles(json: string): boolean {
  if (json.length <= MIN_CHECKED_CHARACTERS) return false;
  let count = 0;
  for (const _ of json.matchAll(FILE_KEY_PATTERN)) if (++count > MAX_FILES_PER_VALUE) return true;
  return false;
}

/** Number of characters that are searched for files without a pause: this takes about a millisecond for any text. */
export const FILE_SEARCH_PIECE = 256 * 1024;
/** Length of the longest way to write the key. */
const MAX_FILE_KEY_LENGTH = '"\\u0024\\u0066\\u0069\\u006c\\u0065"'.length;

/** Like `hasTooManyFiles`, for JSON of any size: it searches in pieces and yields to the event loop between them. */
export async function hasTooManyFilesInPieces(json: string): Promise<boolean> {
  const timer = new YieldTimer();
  let count = 0;
  for (let at = 0; at < json.length; at += FILE_SEARCH_PIECE) {
    for (const { index } of json.slice(at, at + FILE_SEARCH_PIECE + MAX_FILE_KEY_LENGTH).matchAll(FILE_KEY_PATTERN))
      if (index < FILE_SEARCH_PIECE && ++count > MAX_FILES_PER_VALUE) return true;
    if (timer.isDue) await timer.take();
  }
  return false;
}

const tooDeepFailure = () =>
  new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_JSON_NESTING} levels.`, false);

/** Text for a `text` column and for display: no NUL, no half surrogates, at most `limit` characters. */
export const toStorableText = (text: string, limit = 10_000): string =>
  (text.length > limit ? `${text.slice(0, limit - 1)}…` : text).replaceAll('\u0000', '').toWellFormed();
