import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  cellRowsParameter,
  countParameter,
  listedLineListParameter,
  someColumnsParameter,
  valueLineParameter,
} from '../../parameters';
import {
  columnLetters,
  requireColumns,
  ROW_NUMBER_FIELD,
  rowChecksum,
  rowsToObjects,
  sheetColumnNames,
  toCellValue,
} from '../google/sheet-values';
import {
  readRangeCells,
  readWorksheetCells,
  shownTextParameter,
  WORKSHEET_COLUMN_FIELDS,
  workbookParameters,
  workbookPath,
  workbookPathParameters,
  workbookPaths,
  workbookPlace,
  workbookRangeExample,
  worksheetHeaderRow,
  worksheetParameters,
  worksheetPath,
  worksheetRangePath,
  worksheetRowsExample,
  writeWorksheetRange,
} from './excel-parts';
import { excelWritingOperations } from './excel-writing';
import { EXCEL_RATE_LIMIT, microsoftGraphPaging } from './graph-parts';

const shared = { limits: EXCEL_RATE_LIMIT };
const worksheetExample = {
  id: '{00000000-0001-0000-0000-000000000000}',
  name: 'Sheet1',
  position: 0,
  visibility: 'Visible',
};
const writeParameters = { ...worksheetParameters, headerRow: worksheetHeaderRow };

/** Operations with the sheets of a workbook and their rows. */
export const excelWorksheetOperations: OperationDefinition[] = [
  {
    ...shared,
    id: 'workbooks.list',
    title: 'List workbooks',
    help: 'Excel files of the own OneDrive, with their ids.',
    method: 'GET',
    path: "/me/drive/root/search(q='.xlsx')",
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [{ id: '01BYE5RZ6QN3ZWBTUFOFD3GSPGOHDJD36K', name: 'Leads.xlsx' }] },
  },
  {
    ...shared,
    id: 'worksheets.list',
    title: 'List the sheets of a workbook',
    help: 'Their names and ids.',
    method: 'GET',
    ...workbookPaths('/worksheets'),
    unsent: workbookPlace,
    inPath: workbookPathParameters,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [worksheetExample] },
  },
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.create',
    title: 'Add a sheet',
    help: 'Adds a sheet to a workbook.',
    parameters: {
      ...workbookParameters,
      name: valueLineParameter('Name', 'new name', 31).describe('Name of the new sheet'),
    },
    *steps({ name, ...workbook }) {
      const path = workbookPath(workbook, '/worksheets/add');
      return (yield { method: 'POST', path, body: { as: 'json', value: { name } } }).body;
    },
    example: worksheetExample,
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.delete',
    title: 'Delete a sheet',
    help: 'Removes a sheet with its rows.',
    parameters: worksheetParameters,
    *steps(target) {
      yield { method: 'DELETE', path: worksheetPath(target) };
      return { worksheet: target.worksheet, deleted: true };
    },
    example: { worksheet: 'Sheet1', deleted: true },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.list_columns',
    title: 'List the columns of a sheet',
    help: 'The names of the header, with the letters of their columns.',
    parameters: writeParameters,
    *steps({ headerRow = 1, ...target }) {
      const cells = yield* readWorksheetCells(target);
      return sheetColumnNames(cells[headerRow - 1]).map((name, index) => ({ name, column: columnLetters(index) }));
    },
    example: [
      { name: 'Name', column: 'A' },
      { name: 'Email', column: 'B' },
    ],
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.read_rows',
    title: 'Read rows',
    help: 'All rows as objects with the names of the header and row_number.',
    parameters: {
      ...writeParameters,
      filter: someColumnsParameter('Only rows with', 'columns', WORKSHEET_COLUMN_FIELDS)
        .optional()
        .describe('Name of a column and the value that it must have'),
      isShown: shownTextParameter,
      limit: countParameter('Rows', 100_000).optional().describe('At most so many rows'),
    },
    *steps({ headerRow = 1, filter = {}, isShown, limit, ...target }) {
      const wanted = Object.entries(filter);
      const rows = rowsToObjects(yield* readWorksheetCells(target, isShown), headerRow).filter((one) =>
        wanted.every(([column, value]) => String(one[column] ?? '') === String(value ?? '')),
      );
      return rows.slice(0, limit);
    },
    example: worksheetRowsExample,
    poll: {
      title: 'New row in a sheet',
      words: 'excel trigger row added worksheet workbook',
      items: 'input.body',
      key: `item.${ROW_NUMBER_FIELD}`,
    },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.read_row_versions',
    title: 'Read rows with checksums',
    help: 'All rows as objects with row_number and checksum, which is another one when a cell of the row changes.',
    parameters: {
      ...writeParameters,
      columns: listedLineListParameter('Columns', 'columns', WORKSHEET_COLUMN_FIELDS)
        .optional()
        .describe('Only changes of these columns count; empty: of all'),
      isShown: shownTextParameter,
    },
    *steps({ headerRow = 1, columns = [], isShown, ...target }) {
      const rows = rowsToObjects(yield* readWorksheetCells(target, isShown), headerRow);
      requireColumns(rows, columns);
      return rows.map((row) => ({ ...row, checksum: rowChecksum(row, columns) }));
    },
    example: worksheetRowsExample.map((row) => ({ ...row, checksum: 'k3tQh1l2s0eM8m2o7rTq1A' })),
    poll: {
      title: 'New or changed row in a sheet',
      words: 'excel trigger row updated changed worksheet workbook',
      items: 'input.body',
      key: `item.${ROW_NUMBER_FIELD} & ' ' & item.checksum`,
    },
  }),
  ...excelWritingOperations,
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.read_range',
    title: 'Read a range',
    help: 'The cells of a range as lists.',
    parameters: {
      ...worksheetParameters,
      range: valueLineParameter('Range', 'place', 100).describe('e.g. A1:D10'),
      isShown: shownTextParameter,
    },
    *steps({ range, isShown, ...target }) {
      return readRangeCells((yield { path: worksheetRangePath(target, range) }).body, isShown);
    },
    example: [
      ['Name', 'Email'],
      ['Ada', 'ada@example.com'],
    ],
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.write_range',
    title: 'Write a range',
    help: 'Writes lists of cells; null leaves a cell as it is. Values that begin with = are formulas.',
    parameters: {
      ...worksheetParameters,
      range: valueLineParameter('Range', 'place', 100).describe('As large as the rows, e.g. A1:D10'),
      rows: cellRowsParameter('Rows', 10_000).describe('A list of rows, each a list of cells, e.g. [["Ada", 7]]'),
    },
    *steps({ range, rows, ...target }) {
      const cells = rows.map((row) => row.map(toCellValue));
      return (yield writeWorksheetRange(target, range, cells)).body;
    },
    example: workbookRangeExample,
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.clear',
    title: 'Clear a sheet',
    help: 'Removes values; formats stay.',
    parameters: {
      ...worksheetParameters,
      range: valueLineParameter('Range', 'place', 100).optional().describe('e.g. A2:D10; empty: all values'),
      keepsHeader: booleanParameter('Keep the first row').optional().describe('Only if no range is given'),
    },
    *steps({ range, keepsHeader, ...target }) {
      const cells = range === undefined ? yield* readWorksheetCells(target) : [];
      const width = Math.max(1, ...cells.map((row) => row.length));
      const from = keepsHeader ? 2 : 1;
      if (range === undefined && cells.length < from) return { cleared: null };
      const address = range ?? `A${from}:${columnLetters(width - 1)}${cells.length}`;
      const body = { as: 'json', value: { applyTo: 'Contents' } } as const;
      yield { method: 'POST', path: worksheetRangePath(target, address, '/clear'), body };
      return { cleared: address };
    },
    example: { cleared: 'A2:D10' },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'worksheets.delete_rows',
    title: 'Delete rows',
    help: 'Removes rows; the rows below move up.',
    parameters: {
      ...worksheetParameters,
      from: countParameter('First row', 1_048_576).describe('Number of the first row to delete, e.g. 2'),
      count: countParameter('Rows', 1_048_576).optional().describe('How many; default 1'),
    },
    *steps({ from, count = 1, ...target }) {
      const path = worksheetRangePath(target, `${from}:${from + count - 1}`, '/delete');
      yield { method: 'POST', path, body: { as: 'json', value: { shift: 'Up' } } };
      return { deletedRows: count };
    },
    example: { deletedRows: 1 },
  }),
];
