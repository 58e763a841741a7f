/*
 * Integers of JSON that a double cannot hold. JSON.parse rounds them, so that two ids become one; here they become the text of their
 * digits. This holds for JSON that comes from outside: what the service wrote itself has none, except numbers that were computed.
 */

/** Finds the texts that may belong to such a number: many digits, or an exponent of three digits. */
const LONG_NUMBER_HINT = /\d{16,}|[eE]\+?\d{3,}/g;
const NUMBER_CHARACTER = /[\d.eE+-]/;
const REST_OF_NUMBER = /[\d.eE+-]*/y;
const INTEGER_TEXT = /^-?\d+$/;

/** Whether a text is an integer beyond ±(2^53 − 1): an integer that came from outside and is kept as its digits. */
export const isLargeInteger = (value: unknown): value is string =>
  typeof value === 'string' && /^-?[1-9]\d{15,}$/.test(value) && isRoundedInteger(value);

/**
 * The value of JSON from outside. Integers beyond ±(2^53 − 1), written without fraction or exponent, become the text of
 * their digits, and so do other numbers too large for a double (1e400); of a name that is given twice, the last value
 * counts. `rewrite` may change the names of fields before. Throws SyntaxError.
 */
export const parseExactJson = (json: string, rewrite = (quoted: string): string => quoted): unknown =>
  parseQuotedJson(json, rewrite(quoteNumbers(json, isRoundedNumber)));

/**
 * Like parseExactJson, but a number too large for a double becomes infinite, so that the caller who sent it can be
 * told. Throws SyntaxError.
 */
export const parseExactIntegers = (json: string): unknown => parseQuotedJson(json, quoteLargeIntegers(json));

/** Puts integers that a double would round in quotes. A text that is not JSON stays invalid. */
export const quoteLargeIntegers = (json: string): string => quoteNumbers(json, isRoundedInteger);

function parseQuotedJson(json: string, quoted: string): unknown {
  try {
    return JSON.parse(quoted);
  } catch (error) {
    // The error names positions of the text as it was given.
    if (quoted !== json) JSON.parse(json);
    throw error;
  }
}

/** Linear: each character is visited a bounded number of times, also in texts that are not JSON. */
function quoteNumbers(json: string, isQuoted: (number: string) => boolean): string {
  LONG_NUMBER_HINT.lastIndex = 0;
  const parts: string[] = [];
  let copied = 0;
  let position = 0;
  /**
   * The next quote. It is searched again only after a string: otherwise a text without quotes would be searched to its
   * end each time.
   */
  let quote = findNextQuote(json, 0);
  for (let match = LONG_NUMBER_HINT.exec(json); match; match = LONG_NUMBER_HINT.exec(json)) {
    while (quote < match.index) {
      position = findStringEnd(json, quote);
      quote = findNextQuote(json, position);
    }
    if (position > match.index) {
      LONG_NUMBER_HINT.lastIndex = position;
      continue;
    }
    const [start, end] = findNumberBounds(json, match.index);
    const number = json.slice(start, end);
    position = end;
    LONG_NUMBER_HINT.lastIndex = end;
    if (!isQuoted(number)) continue;
    parts.push(json.slice(copied, start), '"', number, '"');
    copied = end;
  }
  return parts.length === 0 ? json : parts.join('') + json.slice(copied);
}

function findNextQuote(json: string, position: number): number {
  const quote = json.indexOf('"', position);
  return quote === -1 ? json.length : quote;
}

function findStringEnd(json: string, quote: number): number {
  for (let end = json.indexOf('"', quote + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return json.length;
}

function findNumberBounds(json: string, position: number): [start: number, end: number] {
  let start = position;
  while (start > 0 && NUMBER_CHARACTER.test(json.charAt(start - 1))) start -= 1;
  REST_OF_NUMBER.lastIndex = position;
  REST_OF_NUMBER.test(json);
  return [start, REST_OF_NUMBER.lastIndex];
}

const isRoundedInteger = (number: string): boolean =>
  INTEGER_TEXT.test(number) && !Number.isSafeInteger(Number(number));

const isRoundedNumber = (number: string): boolean =>
  isRoundedInteger(number) || (!INTEGER_TEXT.test(number) && Math.abs(Number(number)) === Infinity);
