import { parseExactJson } from '@/contract/exact-json';

/** Beginnings of values that are tried: texts with many brackets that are no JSON must not take long. */
const MAX_STARTS = 50;
/** Characters of a text that is searched. */
const MAX_SEARCHED = 256 * 1024;
/** Values that are given. */
const MAX_FOUND = 5;

/**
 * The JSON values that an answer in words may hold, the likeliest first: the whole text, code blocks from the last to the first, and objects and lists in
 * the text from the last to the first. A comma too many before a closing bracket is passed over.
 */
export function jsonValuesIn(text: string): unknown[] {
  const whole = parsed(text);
  if (whole) return [whole.value];
  if (text.length > MAX_SEARCHED) return [];
  const blocks = [...text.matchAll(/```[a-z]*[^\S\n]*\n([^]*?)```/gi)].map(([, inner = '']) => inner);
  const parts = [...blocks.toReversed(), ...bracketed(text).toReversed()];
  return parts
    .flatMap((part) => parsed(part) ?? [])
    .slice(0, MAX_FOUND)
    .map(({ value }) => value);
}

function parsed(text: string): { value: unknown } | undefined {
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
function bracketed(text: string): string[] {
  const parts: string[] = [];
  const opening = /[[{]/g;
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const start = opening.exec(text)?.index;
    if (start === undefined) break;
    const end = endOfValue(text, start);
    if (end === undefined) continue;
    parts.push(text.slice(start, end));
    opening.lastIndex = end;
  }
  return parts;
}

/** The position after the bracket that closes the one at `start`; undefined: none does. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0;
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '"') {
      const end = endOfString(text, mark.index);
      if (end === undefined) return undefined;
      marks.lastIndex = end;
    } else {
      depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
      if (depth === 0) return mark.index + 1;
    }
  }
  return undefined;
}

function endOfString(text: string, quote: number): number | undefined {
  const marks = /\\[^]|"/g;
  marks.lastIndex = quote + 1;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) if (mark[0] === '"') return mark.index + 1;
  return undefined;
}
