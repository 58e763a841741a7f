import { NodeFailure } from '../nodes/node';

const MAX_BYTES = 10 * 1024 * 1024;
/** PostgreSQL's and our own parsers recurse; deeper JSON is of no use to anybody. */
const MAX_DEPTH = 1000;

/** A value as it is stored, and as every later reader sees it. */
export interface StoredValue {
  json: string;
  value: unknown;
}

function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (isInString) {
      if (code === 92 /* \ */) index += 1;
      else if (code === 34 /* " */) isInString = false;
    } else if (code === 34) isInString = true;
    else if (code === 123 /* { */ || code === 91 /* [ */) deepest = Math.max(deepest, ++depth);
    else if (code === 125 || code === 93) depth -= 1;
  }
  return deepest;
}

/**
 * The one way by which values enter storage. What is stored is what later nodes see, so that a run goes the same way
 * after a crash: `undefined` is null, dates are texts. Throws NodeFailure OUTPUT_TOO_LARGE, OUTPUT_TOO_DEEP or
 * OUTPUT_NOT_JSON.
 */
export function storedValue(given: unknown): StoredValue {
  const json = storedJson(given);
  return { json, value: JSON.parse(json) as unknown };
}

/** The same for a value that nobody reads on. */
export function storedJson(given: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(given);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw new NodeFailure('OUTPUT_NOT_JSON', 'The output can not be written as JSON.', false);
  }
  if (json === undefined) return 'null';
  // Three bytes are the most that one UTF-16 unit takes.
  if (json.length * 3 > MAX_BYTES && Buffer.byteLength(json) > MAX_BYTES) {
    throw new NodeFailure('OUTPUT_TOO_LARGE', 'The output is larger than 10 MiB.', false);
  }
  if (json.length > 2 * MAX_DEPTH && depthOf(json) > MAX_DEPTH) throw tooDeep();
  return json;
}

const tooDeep = () =>
  new NodeFailure('OUTPUT_TOO_DEEP', `The output is nested deeper than ${MAX_DEPTH} levels.`, false);

/** Text for a `text` column and for people's eyes: no NUL, no half surrogates, at most `limit` characters. */
export const storedText = (text: string, limit = 10_000): string =>
  (text.length > limit ? `${text.slice(0, limit - 1)}…` : text).replaceAll('\u0000', '').toWellFormed();
