import type { OperationDefinition } from '../../operation';
import { countParameter, listedLineListParameter } from '../../parameters';
import { extractDriveId } from './ids';
import { readRangeRequest, upsertSheetRows } from './sheet-requests';
import {
  readSheetCells,
  requireColumns,
  rowChecksum,
  rowsToObjects,
  ROW_NUMBER_FIELD,
  sheetRange,
} from './sheet-values';
import {
  headerRowParameter,
  keyColumnParameter,
  sheetParameters,
  sheetRowsExample,
  sheetRowsParameter,
  SHEET_COLUMN_FIELDS,
  sheetsRateLimit,
  sheetWriteParameters,
  defineSheetOperation,
} from './sheets-parameters';

/** Operations with many rows. */
export const sheetRowOperations: OperationDefinition[] = [
  defineSheetOperation({
    id: 'sheets.upsert_rows',
    title: 'Append or update rows',
    help: 'Updates rows with the same values in the key column, and appends the others, in few calls.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetWriteParameters,
      key: keyColumnParameter,
      rows: sheetRowsParameter,
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input, key, rows }) {
      return yield* upsertSheetRows({ id: extractDriveId(given), name, head, input }, key, rows);
    },
    example: { updatedRows: 2, appendedRows: 1 },
  }),
  defineSheetOperation({
    id: 'sheets.read_row_versions',
    title: 'Read rows with checksums',
    help: 'All rows as objects with row_number and checksum, which is another one when a cell of the row changes.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      headerRow: headerRowParameter,
      columns: listedLineListParameter('Columns', 'columns', SHEET_COLUMN_FIELDS)
        .optional()
        .describe('Only changes of these columns count; empty: of all'),
      limit: countParameter('Rows', 100_000).optional().describe('At most so many rows'),
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, columns = [], limit }) {
      const { body } = yield readRangeRequest(extractDriveId(given), sheetRange(name));
      const rows = rowsToObjects(readSheetCells(body), head).slice(0, limit);
      requireColumns(rows, columns);
      return rows.map((row) => ({ ...row, checksum: rowChecksum(row, columns) }));
    },
    example: sheetRowsExample.map((row) => ({ ...row, checksum: 'k3tQh1l2s0eM8m2o7rTq1A' })),
    poll: {
      title: 'New or changed row',
      words: 'google sheets trigger row updated changed added edited spreadsheet',
      items: 'input.body',
      key: `item.${ROW_NUMBER_FIELD} & ' ' & item.checksum`,
    },
  }),
];
