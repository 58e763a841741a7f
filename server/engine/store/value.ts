import { YieldTimer } from '@/server/cooperative';
import { depthOf, MAX_DEPTH } from '@/server/expressions/json-depth';
import { fromJson, isLarge, jsonOf } from '@/server/expressions/large-json';
import { NodeFailure } from '@/server/errors/node-failure';

const MAX_BYTES = 10 * 1024 * 1024;

/** A value as it is stored and as later readers receive it; large values as text. */
export interface StoredValue {
  json: string;
  value: unknown;
}

/**
 * Normalizes a value for storage. Later nodes receive the stored form, so that a run behaves the same after a crash:
 * `undefined` becomes null, dates become texts. Throws NodeFailure OUTPUT_TOO_LARGE, OUTPUT_TOO_DEEP,
 * OUTPUT_NOT_JSON or TOO_MANY_FILES.
 */
export function storedValue(value: unknown): StoredValue {
  const json = storedJson(value);
  return { json, value: fromJson(json) };
}

/** Normalizes a value that no later node reads. */
export function storedJson(value: unknown): string {
  let json: string | undefined;
  try {
    json = jsonOf(value);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw new NodeFailure('OUTPUT_NOT_JSON', 'The output can not be written as JSON.', false);
  }
  if (json === undefined) return 'null';
  // One UTF-16 unit takes at most three bytes.
  if (json.length * 3 > MAX_BYTES && Buffer.byteLength(json) > MAX_BYTES) {
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The output is larger than 10 MiB.', false);
  }
  if (hasTooManyFiles(json)) {
    throw new NodeFailure('TOO_MANY_FILES', `The output names more than ${MAX_FILES} files.`, false);
  }
  // The depth of a large value was checked when it was created.
  if (!isLarge(value) && json.length > 2 * MAX_DEPTH && depthOf(json) > MAX_DEPTH) throw tooDeep();
  return json;
}

/** Files that one value may name: the database records each of them with the value. */
export const MAX_FILES = 1000;
/** The key `$file`, however JSON writes it: as `names_files` of the database. A quote inside a text is escaped, so no text contains it. */
const FILE_KEY = /"(?:\$|\\u0024)(?:f|\\u0066)(?:i|\\u0069)(?:l|\\u006[cC])(?:e|\\u0065)"/g;

/** Shorter JSON has no room for more: the shortest way to write the key and a separator. */
const ROOM_FOR_MAX_FILES = MAX_FILES * '"$file":'.length;

/** Whether JSON names more files than a value may. */
export function hasTooManyFiles(json: string): boolean {
  if (json.length <= ROOM_FOR_MAX_FILES) return false;
  let count = 0;
  for (const _ of json.matchAll(FILE_KEY)) if (++count > MAX_FILES) return true;
  return false;
}

/** Characters that are searched for files at once, on the way of a run: about a millisecond, whatever they are. */
export const FILES_PIECE = 256 * 1024;
/** The longest way to write the key. */
const MAX_KEY = '"\\u0024\\u0066\\u0069\\u006c\\u0065"'.length;

/** The same for JSON of any size: in pieces, between which others get their turn. */
export async function hasTooManyFilesInPieces(json: string): Promise<boolean> {
  const timer = new YieldTimer();
  let count = 0;
  for (let at = 0; at < json.length; at += FILES_PIECE) {
    for (const { index } of json.slice(at, at + FILES_PIECE + MAX_KEY).matchAll(FILE_KEY))
      if (index < FILES_PIECE && ++count > MAX_FILES) return true;
    if (timer.isDue) await timer.take();
  }
  return false;
}

const tooDeep = () =>
  new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_DEPTH} levels.`, false);

/** Text for a `text` column and for display: no NUL, no half surrogates, at most `limit` characters. */
export const storedText = (text: string, limit = 10_000): string =>
  (text.length > limit ? `${text.slice(0, limit - 1)}…` : text).replaceAll('\u0000', '').toWellFormed();
