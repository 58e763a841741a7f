import { ColumnNames, CsvError, CsvReader, type CsvFormat, type CsvRecord } from '@/contract/tables/csv-reader';
import { put } from '@/server/expressions/scope';

/** Rows of one text. */
export const MAX_ROWS = 1_000_000;

/** Reads the rows of a CSV text, which comes in parts, one by one. Throws CsvError. */
export function readCsvRows(parts: Iterable<string>, format: CsvFormat, take: (record: CsvRecord) => void): void {
  let rows = 0;
  const reader = new CsvReader(format, (record) => {
    rows += 1;
    if (rows >= MAX_ROWS) throw new CsvError(`A table has at most ${MAX_ROWS - 1} rows`, record.line);
    take(record);
  });
  for (const part of parts) reader.write(part);
  reader.end();
}

/** All rows: lists of cells, or with a header objects by the names of the first row. */
export function listCsvRows(text: string, format: CsvFormat, hasHeader: boolean): unknown[] {
  const rows: unknown[] = [];
  let columns: ColumnNames | undefined;
  readCsvRows([text], format, (record) => {
    if (!hasHeader) rows.push(record.cells);
    else if (!columns) columns = new ColumnNames(record);
    else {
      columns.extend(record.cells.length);
      const row: Record<string, unknown> = {};
      for (const [index, name] of columns.names.entries()) put(row, name, record.cells[index] ?? '');
      rows.push(row);
    }
  });
  return rows;
}
