import { stringify } from 'csv-stringify/sync';
import type { ConvertOptions } from '../../convert-job';
import { delimiterOf } from './rows';
import type { TextSink } from './sink';
import { cellText, type Table } from './tables';

/** Rows that are written at a time. */
const BATCH = 500;

/** Texts that spreadsheet programs take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes a table as CSV (RFC 4180). With `escapeFormulas`, texts that begin like a formula get an apostrophe. */
export function writeCsv({ columns, rows }: Table, options: ConvertOptions, sink: TextSink): void {
  const { delimiter = ',', header = true, escapeFormulas = false } = options;
  const format = { delimiter: delimiter === 'auto' ? ',' : delimiterOf(delimiter) };
  const cellOf = (cell: unknown) =>
    escapeFormulas && typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cellText(cell);
  if (header && columns) sink.write(stringify([columns.map(cellOf)], format));
  for (let at = 0; at < rows.length; at += BATCH) {
    const lines = rows.slice(at, at + BATCH).map((row) => row.map(cellOf));
    sink.write(stringify(lines, format));
  }
}
