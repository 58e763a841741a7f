import {
  UniqueColumnNames,
  CsvSyntaxError,
  CsvReader,
  type CsvReaderOptions,
  type CsvRecord,
} from '@/contract/tables/csv-reader';
import { setField } from '@/server/evaluation/expressions/scope';

/** A text may have fewer rows than this, its header included. */
export const MAX_CSV_ROWS = 1_000_000;

/** Reads the rows of a CSV text, which comes in parts, one by one. Throws CsvError. */
export function readCsvRows(
  parts: Iterable<string>,
  format: CsvReaderOptions,
  take: (record: CsvRecord) => void,
): void {
  let rows = 0;
  const reader = new CsvReader(format, (record) => {
    rows += 1;
    if (rows >= MAX_CSV_ROWS) throw new CsvSyntaxError(`A table has at most ${MAX_CSV_ROWS - 1} rows`, record.line);
    take(record);
  });
  for (const part of parts) reader.write(part);
  reader.end();
}

/** All rows: lists of cells, or with a header objects by the names of the first row. */
export function readAllCsvRows(text: string, format: CsvReaderOptions, hasHeader: boolean): unknown[] {
  const rows: unknown[] = [];
  let columns: UniqueColumnNames | undefined;
  readCsvRows([text], format, (record) => {
    if (!hasHeader) rows.push(record.cells);
    else if (!columns) columns = new UniqueColumnNames(record);
    else {
      columns.extend(record.cells.length);
      const row: Record<string, unknown> = {};
      for (const [index, name] of columns.names.entries()) setField(row, name, record.cells[index] ?? '');
      rows.push(row);
    }
  });
  return rows;
}
