import { parseExactJson } from '@/contract/exact-json';
import { put } from '@/server/expressions/scope';
import type { ConvertOptions } from '../../convert-job';
import { MAX_ROWS, readCsvRows } from '../../functions/csv';
import { messageOf, unreadable } from './failure';
import { textOf, utf8Of, type Source } from './source';

/** Gets the rows of a table one by one: objects by the names of the columns, or lists of cells. */
export type TakeRow = (row: unknown) => void;

/** Reads the rows of a table in any format. Throws NodeFailure. */
export async function readRows(source: Source, options: ConvertOptions, take: TakeRow): Promise<void> {
  switch (source.format) {
    case 'csv':
      return readCsv(utf8Of(source), options, take);
    case 'ndjson':
      return readLines(textOf(source), take);
    case 'xlsx': {
      const { readSheetRows } = await import('./xlsx');
      const row = rowMaker(options, take, (cell) => cell ?? null);
      for (const cells of await readSheetRows(source, options)) row(cells);
      return;
    }
    default:
      return readList(source, take);
  }
}

/** A list, or one item, as a value or as the text of its JSON. */
function readList(source: Source, take: TakeRow): void {
  const value = jsonOf(source);
  for (const row of Array.isArray(value) ? value : [value]) take(row);
}

/** The value of JSON: itself, or what its text says. */
export function jsonOf(source: Source): unknown {
  const { content, format } = source;
  if (format === 'json' && 'value' in content && typeof content.value !== 'string') return content.value;
  const text = textOf(source).replace(/^\ufeff/, '');
  try {
    return parseExactJson(text);
  } catch (error) {
    throw unreadable(`The text is not JSON: ${messageOf(error)}`);
  }
}

function readLines(text: string, take: TakeRow): void {
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let line = 1; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const part = text.slice(start, end < 0 ? text.length : end).trim();
    start = end < 0 ? text.length : end + 1;
    if (part === '') continue;
    try {
      take(parseExactJson(part));
    } catch (error) {
      if (error instanceof SyntaxError) throw unreadable(`Line ${line} is not JSON: ${error.message}`);
      throw error;
    }
  }
}

function readCsv(text: Buffer, options: ConvertOptions, take: TakeRow): void {
  const { delimiter = 'auto', quote, types } = options;
  const format = {
    delimiter: delimiter === 'auto' ? foundDelimiter(text) : delimiterOf(delimiter),
    quote: quote === '' ? false : quote,
  };
  const row = rowMaker(options, take, types ? typed : (cell) => cell ?? '');
  let rows = 0;
  try {
    readCsvRows(text, format as { delimiter: string; quote?: string | false }, (cells) => {
      rows += 1;
      row(cells);
    });
  } catch (error) {
    if (
      (error as { code?: unknown }).code === undefined ||
      !String((error as { code: unknown }).code).startsWith('CSV_')
    )
      throw error;
    throw unreadable(`The text is not CSV: ${messageOf(error)}`);
  }
  if (rows >= MAX_ROWS) throw unreadable(`A table has at most ${MAX_ROWS - 1} rows.`);
}

/** The delimiter that an option names. */
export const delimiterOf = (option: string): string => (option === 'tab' ? '\t' : option);

const DELIMITERS = [',', ';', '\t', '|'];
const SAMPLE = 64 * 1024;

/** The delimiter that is most frequent outside of quotes in the first lines. */
function foundDelimiter(text: Buffer): string {
  const counts = new Map(DELIMITERS.map((one) => [one, 0]));
  let isQuoted = false;
  let lines = 0;
  for (const character of text.toString('latin1', 0, SAMPLE)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' && (lines += 1) === 10) break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return DELIMITERS.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
}

/** Makes rows of cells: with a header, objects by the names of the first row. */
function rowMaker({ header = true }: ConvertOptions, take: TakeRow, cellOf: (cell: unknown) => unknown) {
  if (!header) return (cells: readonly unknown[]) => take(cells.map(cellOf));
  let names: string[] | undefined;
  return (cells: readonly unknown[]) => {
    if (!names) {
      names = columnNames(cells);
      return;
    }
    while (names.length < cells.length) names.push(freeName(names, `column_${names.length + 1}`));
    const row: Record<string, unknown> = {};
    for (const [index, name] of names.entries()) put(row, name, cellOf(cells[index]));
    take(row);
  };
}

function columnNames(cells: readonly unknown[]): string[] {
  const names: string[] = [];
  for (const [index, cell] of cells.entries()) {
    names.push(freeName(names, String(cell ?? '').trim() || `column_${index + 1}`));
  }
  return names;
}

/** A name that no column has yet: `name`, else `name_2`, `name_3` … */
function freeName(names: readonly string[], name: string): string {
  let free = name;
  for (let number = 2; names.includes(free); number += 1) free = `${name}_${number}`;
  return free;
}

const NUMBER = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** A text as the number or boolean that it stands for. Texts that would not come back as they were stay texts: 007, long ids. */
export function typed(cell: unknown): unknown {
  if (cell === undefined || cell === '') return null;
  if (typeof cell !== 'string') return cell;
  if (/^true$/i.test(cell)) return true;
  if (/^false$/i.test(cell)) return false;
  if (!NUMBER.test(cell)) return cell;
  const number = Number(cell);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : cell;
}
