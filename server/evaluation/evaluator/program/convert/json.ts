import { parseExactJson } from '@/contract/exact-json';
import { setField } from '@/server/evaluation/expressions/scope';
import { RowColumns, NamedRow } from './named-row';

/** A field whose name is a whole number, which an object would put before all others. */
const NUMBERED_NAME = /"\d+"\s*:/;
/** Put before names while JSON is parsed. */
const NUMBERED_NAME_MARK = '\u{f8ff}';

/**
 * The entries of a list, or the value as one: objects with numbered names as rows that keep their order. Throws
 * SyntaxError.
 */
export function parseJsonRows(text: string): unknown[] {
  const isMarked = NUMBERED_NAME.test(text) && !text.includes(NUMBERED_NAME_MARK);
  const value = isMarked ? parseExactJson(text, markNumberedNames) : parseExactJson(text);
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  return isMarked ? rows.map(toOrderedRow) : rows;
}

/** Marks the names of fields that are whole numbers, in linear time. */
function markNumberedNames(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('"', at);
    parts.push(text.slice(at, open < 0 ? text.length : open));
    if (open < 0) return parts.join('');
    const close = findClosingQuote(text, open);
    const inner = text.slice(open + 1, close);
    at = close + 1;
    let next = at;
    while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next += 1;
    const isNumbered = text[next] === ':' && /^\d+$/.test(inner);
    parts.push('"', isNumbered ? NUMBERED_NAME_MARK + inner : inner, close < text.length ? '"' : '');
  }
}

/** The position of the closing quote. */
function findClosingQuote(text: string, open: number): number {
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

function toOrderedRow(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return unmarkNames(row);
  const names = Object.keys(row).map(unmarkName);
  return new NamedRow(new RowColumns(names), Object.values(row).map(unmarkNames));
}

const unmarkName = (name: string): string =>
  name.startsWith(NUMBERED_NAME_MARK) ? name.slice(NUMBERED_NAME_MARK.length) : name;

function unmarkNames(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(unmarkNames);
  const plain: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) setField(plain, unmarkName(name), unmarkNames(inner));
  return plain;
}
