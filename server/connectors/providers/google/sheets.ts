import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { booleanParameter, countParameter, someColumnsParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { extractDriveId } from './ids';
import {
  appendRowsToSheet,
  batchUpdateSheet,
  readSheetHeader,
  readSheetProperties,
  readRangeRequest,
  updateSheetRow,
  writeRangeRequest,
} from './sheet-requests';
import { readSheetCells, rowsToObjects, sheetRange, ROW_NUMBER_FIELD, sheetValuesPath } from './sheet-values';
import { sheetRowOperations } from './sheets-rows';
import { sheetStructureOperations } from './sheets-structure';
import {
  headerRowParameter,
  keyColumnParameter,
  sheetParameters,
  sheetRowParameter,
  changedSheetRowParameter,
  SHEET_COLUMN_FIELDS,
  sheetRowsExample,
  sheetRowsParameter,
  sheetsRateLimit,
  sheetWriteParameters,
  SPREADSHEET_API,
  spreadsheetIdParameter,
  defineSheetOperation,
} from './sheets-parameters';

export const googleSheetsOperations: OperationDefinition[] = [
  defineSheetOperation({
    id: 'sheets.read_rows',
    title: 'Read rows',
    help: 'All rows as objects with the names of the header and row_number.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      headerRow: headerRowParameter,
      filter: someColumnsParameter('Only rows with', 'columns', SHEET_COLUMN_FIELDS)
        .optional()
        .describe('Name of a column and the value that it must have'),
      limit: countParameter('Rows', 100_000).optional().describe('At most so many rows'),
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, filter = {}, limit }) {
      const { body } = yield readRangeRequest(extractDriveId(given), sheetRange(name));
      const wanted = Object.entries(filter);
      const rows = rowsToObjects(readSheetCells(body), head).filter((one) =>
        wanted.every(([column, value]) => String(one[column] ?? '') === String(value ?? '')),
      );
      return limit === undefined ? rows : rows.slice(0, limit);
    },
    example: sheetRowsExample,
    poll: {
      title: 'New row',
      words: 'google sheets trigger row added spreadsheet',
      items: 'input.body',
      key: `item.${ROW_NUMBER_FIELD}`,
    },
  }),
  defineSheetOperation({
    id: 'sheets.append_row',
    title: 'Append a row',
    help: 'Writes one row below the last one, by the names of the header.',
    limits: sheetsRateLimit,
    parameters: { ...sheetWriteParameters, row: sheetRowParameter },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, row: one }) {
      const target = { id: extractDriveId(given), name, head, input: mode };
      return yield* appendRowsToSheet(target, yield* readSheetHeader(target), [one]);
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      updatedRange: "'Sheet1'!A5:B5",
      updatedRows: 1,
    },
  }),
  defineSheetOperation({
    id: 'sheets.append_rows',
    title: 'Append rows',
    help: 'Writes a list of objects below the last row in one call.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetWriteParameters,
      rows: sheetRowsParameter,
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, rows }) {
      if (rows.length === 0) return { updatedRows: 0 };
      const target = { id: extractDriveId(given), name, head, input: mode };
      return yield* appendRowsToSheet(target, yield* readSheetHeader(target), rows);
    },
    example: { updatedRange: "'Sheet1'!A5:B7", updatedRows: 3 },
  }),
  defineSheetOperation({
    id: 'sheets.update_row',
    title: 'Update a row',
    help: 'Changes the columns that are given, in the row with the same value in the key column.',
    limits: sheetsRateLimit,
    parameters: { ...sheetWriteParameters, key: keyColumnParameter, row: changedSheetRowParameter },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, key: column, row: one }) {
      const target = { id: extractDriveId(given), name, head, input: mode };
      const changed = yield* updateSheetRow(target, column, one);
      const body = getAtPath(changed, 'body');
      if (body !== undefined) return body;
      throw new NodeFailure('NOT_FOUND', `No row has "${String(one[column])}" in the column "${column}".`, false);
    },
    example: { updatedRange: "'Sheet1'!A2:B2", updatedRows: 1, updatedCells: 2 },
  }),
  defineSheetOperation({
    id: 'sheets.upsert_row',
    title: 'Append or update a row',
    help: 'Updates the row with the same value in the key column, or appends a new one.',
    limits: sheetsRateLimit,
    parameters: { ...sheetWriteParameters, key: keyColumnParameter, row: sheetRowParameter },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, key: column, row: one }) {
      const target = { id: extractDriveId(given), name, head, input: mode };
      const changed = yield* updateSheetRow(target, column, one);
      return (
        getAtPath(changed, 'body') ??
        (yield* appendRowsToSheet(target, getAtPath(changed, 'header') as string[], [one]))
      );
    },
    example: { updatedRange: "'Sheet1'!A2:B2", updatedRows: 1 },
  }),
  defineSheetOperation({
    id: 'sheets.clear',
    title: 'Clear a sheet',
    help: 'Removes values; formats stay.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      range: valueLineParameter('Range', 'place')
        .optional()
        .describe('In A1 notation, e.g. A2:D; empty: the whole sheet'),
      keepsHeader: booleanParameter('Keep the first row').optional().describe('Only if no range is given'),
    },
    *steps({ spreadsheet: given, sheet: name, range, keepsHeader }) {
      const id = extractDriveId(given);
      const rows = keepsHeader ? Number(getAtPath(yield* readSheetProperties(id, name), 'gridProperties.rowCount')) : 0;
      if (range === undefined && rows === 1) return { clearedRange: null };
      const part = range ?? (keepsHeader ? `2:${rows}` : undefined);
      const path = sheetValuesPath(id, sheetRange(name, part), ':clear');
      return (yield { method: 'POST', api: SPREADSHEET_API, path, body: { as: 'json', value: {} } }).body;
    },
    example: { clearedRange: "'Sheet1'!A2:Z1000" },
  }),
  defineSheetOperation({
    id: 'sheets.delete_rows',
    title: 'Delete rows',
    help: 'Removes rows; the rows below move up.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      from: countParameter('First row', 10_000_000).describe('Number of the first row to delete, e.g. 2'),
      count: countParameter('Rows', 10_000_000).optional().describe('How many; default 1'),
    },
    *steps({ spreadsheet: given, sheet: name, from, count: rows = 1 }) {
      const id = extractDriveId(given);
      const sheetId = getAtPath(yield* readSheetProperties(id, name), 'sheetId');
      const range = { sheetId, dimension: 'ROWS', startIndex: from - 1, endIndex: from - 1 + rows };
      return (yield batchUpdateSheet(id, [{ deleteDimension: { range } }])).body;
    },
    example: { spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', replies: [{}] },
  }),
  defineSheetOperation({
    id: 'sheets.read_range',
    title: 'Read a range',
    help: 'The cells of a range as lists.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      range: valueLineParameter('Range', 'place').describe('In A1 notation, e.g. A1:D10'),
    },
    *steps({ spreadsheet: given, sheet: name, range }) {
      return readSheetCells((yield readRangeRequest(extractDriveId(given), sheetRange(name, range))).body);
    },
    example: [
      ['Name', 'Email'],
      ['Ada', 'ada@example.com'],
    ],
  }),
  ...sheetRowOperations,
  ...sheetStructureOperations,
  defineSteppedOperation({
    id: 'sheets.list_sheets',
    title: 'List the sheets of a spreadsheet',
    help: 'Their names, ids and sizes.',
    limits: sheetsRateLimit,
    parameters: { spreadsheet: spreadsheetIdParameter },
    *steps({ spreadsheet: given }) {
      const fields = 'spreadsheetId,properties.title,sheets.properties';
      return (yield { api: SPREADSHEET_API, path: `/spreadsheets/${extractDriveId(given)}`, query: { fields } }).body;
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      properties: { title: 'Leads' },
      sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }],
    },
  }),
  defineSteppedOperation({
    id: 'sheets.create_sheet',
    title: 'Add a sheet',
    help: 'Adds a sheet to a spreadsheet.',
    limits: sheetsRateLimit,
    parameters: {
      spreadsheet: spreadsheetIdParameter,
      title: valueLineParameter('Title', 'new name', 100).describe('Name of the new sheet'),
    },
    *steps({ spreadsheet: given, title }) {
      return (yield batchUpdateSheet(extractDriveId(given), [{ addSheet: { properties: { title } } }])).body;
    },
    example: { replies: [{ addSheet: { properties: { sheetId: 1_534_543_251, title: 'March' } } }] },
  }),
  defineSteppedOperation({
    id: 'sheets.create_spreadsheet',
    title: 'Create a spreadsheet',
    help: 'Creates a spreadsheet in My Drive, with a header if columns are given.',
    limits: sheetsRateLimit,
    parameters: {
      title: valueLineParameter('Title', 'new name', 500).describe('Name of the spreadsheet'),
      columns: valueLineParameter('Columns', 'new name', 5000)
        .optional()
        .describe('Names of the header, separated by commas'),
    },
    *steps({ title, columns }) {
      const made = yield {
        method: 'POST',
        api: SPREADSHEET_API,
        path: '/spreadsheets',
        body: { as: 'json', value: { properties: { title }, sheets: [{ properties: { title: 'Sheet1' } }] } },
      };
      const header = (columns ?? '').split(',').map((name) => name.trim());
      const id = String(getAtPath(made.body, 'spreadsheetId'));
      if (columns !== undefined) yield writeRangeRequest(id, sheetRange('Sheet1', 'A1'), [header], 'RAW');
      return { spreadsheetId: id, spreadsheetUrl: getAtPath(made.body, 'spreadsheetUrl') };
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      spreadsheetUrl: 'https://docs.google.com/spreadsheets/d/1Bxi…/edit',
    },
  }),
];
