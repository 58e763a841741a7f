import { saveAs } from '@/components/client/files';
import { Slices } from '@/components/client/slices';
import { csvHeader, csvLine } from './table-data';

/** Rows between two looks at the clock. */
const STEP = 200;

/** Joins the texts of all rows in slices. */
async function joined(rows: readonly unknown[], separator: string, write: (row: unknown) => string): Promise<string[]> {
  const slices = new Slices();
  const parts: string[] = [];
  for (const [at, row] of rows.entries()) {
    if (at % STEP === 0 && slices.isOver) await slices.next();
    parts.push(at === 0 ? write(row) : separator + write(row));
  }
  return parts;
}

/** Downloads rows as CSV (RFC 4180) with a header. */
export async function saveCsv(rows: readonly unknown[], columns: readonly string[], name: string): Promise<void> {
  const lines = await joined(rows, '\r\n', (row) => csvLine(row, columns));
  saveAs(new Blob([csvHeader(columns), '\r\n', ...lines], { type: 'text/csv' }), `${name}.csv`);
}

/** Downloads rows as a JSON list, one row a line. */
export async function saveJson(rows: readonly unknown[], name: string): Promise<void> {
  const lines = await joined(rows, ',\n', (row) => JSON.stringify(row) ?? 'null');
  saveAs(new Blob(['[\n', ...lines, '\n]\n'], { type: 'application/json' }), `${name}.json`);
}
