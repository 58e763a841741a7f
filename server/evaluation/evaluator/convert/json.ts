import { put } from '@/server/expressions/scope';
import { Columns, NamedRow } from './named-row';

/** A field whose name is a whole number, which an object would put before all others. */
const NUMBERED = /"\d+"\s*:/;
/** A number that may be too large: JSON.parse makes it infinite, and null when it is written. */
const HUGE = /\d[eE]\+?\d{3}|\d{309}/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Put before names while JSON is parsed. */
const MARK = '\u{f8ff}';

/** The value of a JSON text. Of fields of the same name the last one counts. Numbers beyond the range of JSON.parse become texts. Throws SyntaxError. */
export function parseJsonText(text: string): unknown {
  if (!HUGE.test(text)) return parse(text, text);
  return parse(rewrite(text, { gap: hugeAsText, key: (key) => key }), text);
}

/** The entries of a list, or the value as one: objects with numbered names as rows that keep their order. Throws SyntaxError. */
export function parseJsonRows(text: string): unknown[] {
  const isMarked = NUMBERED.test(text) && !text.includes(MARK);
  const value = isMarked
    ? parse(rewrite(text, { gap: hugeAsText, key: (key) => (/^\d+$/.test(key) ? MARK + key : key) }), text)
    : parseJsonText(text);
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  return isMarked ? rows.map(orderedRow) : rows;
}

/** The positions in the message of a failure are those of the text that the author has. */
function parse(text: string, original: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (text !== original) JSON.parse(original);
    throw error;
  }
}

const hugeAsText = (gap: string): string =>
  HUGE.test(gap) ? gap.replace(NUMBER, (number) => (Number.isFinite(Number(number)) ? number : `"${number}"`)) : gap;

/** Rewrites what is between texts, and the names of fields, in linear time. */
function rewrite(text: string, { gap, key }: { gap(text: string): string; key(text: string): string }): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    parts.push(gap(text.slice(at, open < 0 ? text.length : open)));
    if (open < 0) return parts.join('');
    const close = endOfString(text, open);
    const inner = text.slice(open + 1, close);
    at = close + 1;
    let next = at;
    while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next += 1;
    parts.push('"', text[next] === ':' ? key(inner) : inner, close < text.length ? '"' : '');
  }
}

/** The position of the closing quote. */
function endOfString(text: string, open: number): number {
  let from = open + 1;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0) return text.length;
    let escapes = close;
    while (text[escapes - 1] === '\\') escapes -= 1;
    if ((close - escapes) % 2 === 0) return close;
    from = close + 1;
  }
}

function orderedRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return withoutMarks(row);
  const names = Object.keys(row).map(withoutMark);
  return new NamedRow(new Columns(names), Object.values(row).map(withoutMarks));
}

const withoutMark = (name: string): string => (name.startsWith(MARK) ? name.slice(MARK.length) : name);

function withoutMarks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  const plain: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) put(plain, withoutMark(name), withoutMarks(inner));
  return plain;
}
