import { parseExactJson } from '@/contract/exact-json';

/**
 * The maximum number of opening brackets that are tried, because texts with many brackets that are not JSON must not
 * take long.
 */
const MAX_TRIED_BRACKETS = 50;
/** The maximum length of a text that is searched, in characters. */
const MAX_SEARCHED_TEXT = 256 * 1024;
/** The maximum number of values that are returned. */
const MAX_JSON_CANDIDATES = 5;

/**
 * The JSON values that an answer in words may hold, the likeliest first: the whole text, code blocks from the last to
 * the first, and objects and lists in the text from the last to the first. A comma too many before a closing bracket is
 * passed over.
 */
export function findJsonValues(text: string): unknown[] {
  const whole = parseLenientJson(text);
  if (whole) return [whole.value];
  if (text.length > MAX_SEARCHED_TEXT) return [];
  const blocks = [...text.matchAll(/```[a-z]*[^\S\n]*\n([^]*?)```/gi)].map(([, inner = '']) => inner);
  const parts = [...blocks.toReversed(), ...findBracketedParts(text).toReversed()];
  return parts
    .flatMap((part) => parseLenientJson(part) ?? [])
    .slice(0, MAX_JSON_CANDIDATES)
    .map(({ value }) => value);
}

function parseLenientJson(text: string): { value: unknown } | undefined {
  const json = text.trim();
  for (const form of [json, withoutTrailingCommas(json)]) {
    try {
      return { value: parseExactJson(form) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** Strings are matched as a whole, so that commas in them stay. */
const withoutTrailingCommas = (json: string): string =>
  json.replace(/("(?:[^"\\]|\\.)*")|,(?=\s{0,1000}[}\]])/g, (_, string: string | undefined) => string ?? '');

/** Parts of a text from an opening bracket to the one that closes it. */
function findBracketedParts(text: string): string[] {
  const parts: string[] = [];
  const opening = /[[{]/g;
  for (let starts = 0; starts < MAX_TRIED_BRACKETS; starts += 1) {
    const start = opening.exec(text)?.index;
    if (start === undefined) break;
    const end = bracketedValueEnd(text, start);
    if (end === undefined) continue;
    parts.push(text.slice(start, end));
    opening.lastIndex = end;
  }
  return parts;
}

/** The position after the bracket that closes the one at `start`; undefined: none does. */
function bracketedValueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      const end = jsonStringEnd(text, mark.index);
      if (end === undefined) return undefined;
      marks.lastIndex = end;
    } else {
      depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
      if (depth === 0) return mark.index + 1;
    }
  }
  return undefined;
}

function jsonStringEnd(text: string, quote: number): number | undefined {
  const marks = /\\[^]|"/g;
  marks.lastIndex = quote + 1;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) if (mark[0] === '"') return mark.index + 1;
  return undefined;
}
