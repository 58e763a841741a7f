import { saveBlobAs } from '@/components/client/files';
import { TimeSlices } from '@/components/client/time-slices';
import { formatCsvHeader, formatCsvLine } from './table-data';

/** The clock is read once per this number of rows. */
const ROWS_PER_TIME_CHECK = 200;

/** Joins the texts of all rows in slices. */
async function joinRowTexts(
  rows: readonly unknown[],
  separator: string,
  write: (row: unknown) => string,
): Promise<string[]> {
  const slices = new TimeSlices();
  const parts: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_PER_TIME_CHECK === 0 && slices.isOver) await slices.next();
    parts.push(at === 0 ? write(row) : separator + write(row));
  }
  return parts;
}

/** Downloads rows as CSV (RFC 4180) with a header. */
export async function saveRowsAsCsv(rows: readonly unknown[], columns: readonly string[], name: string): Promise<void> {
  const lines = await joinRowTexts(rows, '\r\n', (row) => formatCsvLine(row, columns));
  saveBlobAs(new Blob([formatCsvHeader(columns), '\r\n', ...lines], { type: 'text/csv' }), `${name}.csv`);
}

/** Downloads rows as a JSON list, one row a line. */
export async function saveRowsAsJson(rows: readonly unknown[], name: string): Promise<void> {
  const lines = await joinRowTexts(rows, ',\n', (row) => JSON.stringify(row) ?? 'null');
  saveBlobAs(new Blob(['[\n', ...lines, '\n]\n'], { type: 'application/json' }), `${name}.json`);
}
