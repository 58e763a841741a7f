import { csvRow } from '@/contract/tables/csv-text';
import type { ConvertOptions } from '../../convert-job';
import { delimiterOf } from './rows';
import type { TextSink } from './sink';
import { cellText, type Table } from './tables';

/** Texts that spreadsheet programs take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Writes a table as CSV (RFC 4180). With `escapeFormulas`, texts that begin like a formula get an apostrophe. */
export function writeCsv({ columns, rows }: Table, options: ConvertOptions, sink: TextSink): void {
  const { delimiter = ',', header = true, escapeFormulas = false } = options;
  const separator = delimiter === 'auto' ? ',' : delimiterOf(delimiter);
  const cellOf = (cell: unknown) =>
    escapeFormulas && typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cellText(cell) || null;
  const write = (cells: readonly unknown[]) => sink.write(`${csvRow(cells.map(cellOf), separator)}\n`);
  if (header && columns) write(columns);
  for (const row of rows) write(row);
}
