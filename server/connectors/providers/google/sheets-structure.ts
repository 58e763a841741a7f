import { defineSteppedOperation, type OperationDefinition } from '../../operation';
import { cellRowsParameter, countParameter, listedLineParameter, valueLineParameter } from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { searchDriveFiles } from './drive-search';
import { driveIdParameter, extractDriveId } from './ids';
import { batchUpdateSheet, readSheetHeader, readSheetProperties, writeRangeRequest } from './sheet-requests';
import { columnLetters, findColumnIndex, sheetRange, toCellValue } from './sheet-values';
import {
  changedCellsExample,
  headerRowParameter,
  sheetParameters,
  sheetsRateLimit,
  sheetWriteParameters,
  SHEET_COLUMN_FIELDS,
  SPREADSHEET_API,
  valueInputParameter,
  defineSheetOperation,
} from './sheets-parameters';

const SPREADSHEET_MIME_TYPE = 'application/vnd.google-apps.spreadsheet';
const batchReplyExample = { spreadsheetId: changedCellsExample.spreadsheetId, replies: [{}] };

/** Operations with spreadsheets, sheets and columns rather than with rows. */
export const sheetStructureOperations: OperationDefinition[] = [
  defineSteppedOperation({
    id: 'sheets.list_spreadsheets',
    title: 'List spreadsheets',
    help: 'Those of the account and of shared drives, the last changed first.',
    limits: sheetsRateLimit,
    parameters: {
      name: valueLineParameter('Name', 'search').optional().describe('A part of the name'),
      folder: driveIdParameter('Folder', 'folders').optional().describe('Only spreadsheets in this folder'),
      limit: countParameter('Spreadsheets', 1000).optional().describe('At most 1,000; default 100'),
    },
    *steps(search) {
      return yield* searchDriveFiles({ ...search, type: SPREADSHEET_MIME_TYPE, orderBy: 'modifiedTime desc' });
    },
    example: [{ id: changedCellsExample.spreadsheetId, name: 'Leads', mimeType: SPREADSHEET_MIME_TYPE }],
  }),
  defineSheetOperation({
    id: 'sheets.list_columns',
    title: 'List the columns of a sheet',
    help: 'The names of the header, with the letters of their columns.',
    limits: sheetsRateLimit,
    parameters: { ...sheetParameters, headerRow: headerRowParameter },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1 }) {
      const header = yield* readSheetHeader({ id: extractDriveId(given), name, head, input: undefined });
      return header.map((column, index) => ({ name: column, column: columnLetters(index) }));
    },
    example: [
      { name: 'Name', column: 'A' },
      { name: 'Email', column: 'B' },
    ],
  }),
  {
    id: 'sheets.get_spreadsheet',
    title: 'Get the facts of a spreadsheet',
    help: 'Its sheets with their names, ids and sizes.',
    limits: sheetsRateLimit,
    method: 'GET',
    api: SPREADSHEET_API,
    path: '/spreadsheets/{spreadsheet}',
    inPath: { spreadsheet: listedLineParameter('Spreadsheet', 'spreadsheets', [], 200).describe('Its id') },
    query: { fields: 'spreadsheetId,spreadsheetUrl,properties(title,locale,timeZone),sheets.properties' },
    items: 'sheets',
    example: {
      spreadsheetId: changedCellsExample.spreadsheetId,
      properties: { title: 'Leads' },
      sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }],
    },
  },
  {
    id: 'sheets.get_header',
    title: 'Get the header of a sheet',
    help: 'The cells of its first row.',
    limits: sheetsRateLimit,
    method: 'GET',
    api: SPREADSHEET_API,
    path: "/spreadsheets/{spreadsheet}/values/'{sheet}'!1:1",
    inPath: {
      spreadsheet: listedLineParameter('Spreadsheet', 'spreadsheets', [], 200).describe('Its id'),
      sheet: sheetParameters.sheet,
    },
    items: 'values.0',
    example: { range: 'Sheet1!A1:Z1', majorDimension: 'ROWS', values: [['Name', 'Email']] },
  },
  defineSheetOperation({
    id: 'sheets.write_range',
    title: 'Write a range',
    help: 'Writes lists of cells from a cell on; null leaves a cell as it is.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      range: valueLineParameter('Range', 'place').describe('In A1 notation, e.g. B2 or B2:D10'),
      rows: cellRowsParameter('Rows', 10_000).describe('A list of rows, each a list of cells, e.g. [["Ada", 7]]'),
      input: valueInputParameter,
    },
    *steps({ spreadsheet: given, sheet: name, range, rows, input: mode }) {
      const cells = rows.map((row) => row.map(toCellValue));
      return (yield writeRangeRequest(extractDriveId(given), sheetRange(name, range), cells, mode)).body;
    },
    example: changedCellsExample,
  }),
  defineSheetOperation({
    id: 'sheets.delete_columns',
    title: 'Delete columns',
    help: 'Removes columns; those to the right move to the left.',
    limits: sheetsRateLimit,
    parameters: {
      ...sheetParameters,
      headerRow: sheetWriteParameters.headerRow,
      from: listedLineParameter('First column', 'columns', SHEET_COLUMN_FIELDS, 200).describe(
        'Its name in the header, or its letters',
      ),
      count: countParameter('Columns', 10_000).optional().describe('How many; default 1'),
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, from, count: columns = 1 }) {
      const id = extractDriveId(given);
      const sheetId = getAtPath(yield* readSheetProperties(id, name), 'sheetId');
      const header = yield* readSheetHeader({ id, name, head, input: undefined });
      const startIndex = findColumnIndex(header, from);
      const range = { sheetId, dimension: 'COLUMNS', startIndex, endIndex: startIndex + columns };
      return (yield batchUpdateSheet(id, [{ deleteDimension: { range } }])).body;
    },
    example: batchReplyExample,
  }),
  defineSheetOperation({
    id: 'sheets.delete_sheet',
    title: 'Delete a sheet',
    help: 'Removes a sheet with its rows; a spreadsheet keeps at least one.',
    limits: sheetsRateLimit,
    parameters: sheetParameters,
    *steps({ spreadsheet: given, sheet: name }) {
      const id = extractDriveId(given);
      const sheetId = getAtPath(yield* readSheetProperties(id, name), 'sheetId');
      return (yield batchUpdateSheet(id, [{ deleteSheet: { sheetId } }])).body;
    },
    example: batchReplyExample,
  }),
];
