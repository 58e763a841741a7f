import { formatCsvRow } from '@/contract/tables/csv-text';
import type { ConvertOptions } from '../../convert-job';
import { csvDelimiter } from './rows';
import type { TextSink } from './text-sink';
import { formatCell, type CellTable } from './tables';

/** Matches texts that spreadsheet programs take for a formula. */
const FORMULA_PREFIX_PATTERN = /^[=+\-@\t\r]/;

/** Writes a table as CSV (RFC 4180). With `escapeFormulas`, texts that begin like a formula get an apostrophe. */
export function writeCsvTable({ columns, rows }: CellTable, options: ConvertOptions, sink: TextSink): void {
  const { delimiter = ',', header = true, escapeFormulas = false } = options;
  const separator = delimiter === 'auto' ? ',' : csvDelimiter(delimiter);
  const cellOf = (cell: unknown) =>
    escapeFormulas && typeof cell === 'string' && FORMULA_PREFIX_PATTERN.test(cell)
      ? `'${cell}`
      : formatCell(cell) || null;
  const write = (cells: readonly unknown[]) => sink.write(`${formatCsvRow(cells.map(cellOf), separator)}\n`);
  if (header && columns) write(columns);
  for (const row of rows) write(row);
}
