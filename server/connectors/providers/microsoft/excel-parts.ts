import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { ApiRequest, ApiResponse } from '../../operation';
import {
  booleanParameter,
  columnsParameter,
  countParameter,
  listedLineParameter,
  someColumnsParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import { ROW_NUMBER_FIELD, type SheetCells } from '../google/sheet-values';
import { encodePathPart, quoteODataText } from './graph-parts';

// https://learn.microsoft.com/graph/api/resources/excel
/** Parameters that only say what others are picked from. */
export const workbookPlace = {
  siteId: listedLineParameter('Site', 'sites', [], 1000)
    .optional()
    .describe('Only to pick the library; empty: drives of the account'),
};
export const workbookPathParameters = {
  driveId: listedLineParameter('Drive', 'drives', ['siteId?'], 500)
    .optional()
    .describe('Id of the drive or library; empty: the own OneDrive'),
  workbookId: listedLineParameter('Workbook', 'workbooks', ['driveId?'], 2000).describe('Id of the file'),
};
const WORKBOOK_FIELDS = ['driveId?', 'workbookId'];
export const WORKSHEET_COLUMN_FIELDS = [...WORKBOOK_FIELDS, 'worksheet', 'headerRow?'];
export const TABLE_FIELDS = [...WORKBOOK_FIELDS, 'table'];
export const tableNameParameter = listedLineParameter('Table', 'tables', WORKBOOK_FIELDS, 200).describe(
  'Name or id of the table, e.g. Table1',
);
export const workbookParameters = { ...workbookPlace, ...workbookPathParameters };
export const worksheetParameters = {
  ...workbookParameters,
  worksheet: listedLineParameter('Sheet', 'worksheets', WORKBOOK_FIELDS, 200).describe(
    'Name or id of the sheet, e.g. Sheet1',
  ),
};
export const tableParameters = { ...workbookParameters, table: tableNameParameter };
export const worksheetHeaderRow = countParameter('Header row', 1000)
  .optional()
  .describe('Number of the row with the names of the columns; default 1');
export const shownTextParameter = booleanParameter('As shown')
  .optional()
  .describe('Texts as Excel shows them; else values, in which a date is a number of days');
export const worksheetRow = (kind: 'append' | 'update' | 'upsert') =>
  (kind === 'update' ? someColumnsParameter : columnsParameter)('Row', 'columns', WORKSHEET_COLUMN_FIELDS).describe(
    'Name of a column and its value',
  );
export const worksheetKeyColumn = listedLineParameter('Key column', 'columns', WORKSHEET_COLUMN_FIELDS).describe(
  `The column whose value identifies the row; ${ROW_NUMBER_FIELD}: its number`,
);
export const workbookRangeExample = { address: 'Sheet1!A5:B5', rowCount: 1, columnCount: 2, values: [['Ada', 7]] };
export const worksheetRowsExample = [{ [ROW_NUMBER_FIELD]: 2, Name: 'Ada', Email: 'ada@example.com' }];

/** The paths of a part of a workbook in a drive, and in the own one, for operations without steps. */
export const workbookPaths = (part: string) => ({
  path: `/drives/{driveId}/items/{workbookId}/workbook${part}`,
  pathWithout: { parameter: 'driveId', path: `/me/drive/items/{workbookId}/workbook${part}` },
});

export interface WorkbookTarget {
  driveId?: string | undefined;
  workbookId: string;
}

/** The path of a part of a workbook. */
export function workbookPath({ driveId, workbookId }: WorkbookTarget, part: string): string {
  const drive = driveId === undefined ? '/me/drive' : `/drives/${encodePathPart(driveId)}`;
  return `${drive}/items/${encodePathPart(workbookId)}/workbook${part}`;
}

export interface WorksheetTarget extends WorkbookTarget {
  worksheet: string;
}

/** The path of a part of a sheet. */
export const worksheetPath = ({ worksheet, ...workbook }: WorksheetTarget, part = ''): string =>
  workbookPath(workbook, `/worksheets/${encodePathPart(worksheet)}${part}`);

/** The path of a range of a sheet. Throws NodeFailure CONFIG. */
export function worksheetRangePath(target: WorksheetTarget, address: string, part = ''): string {
  if (!/^[\w$]+(:[\w$]+)?$/.test(address))
    throw new NodeFailure('CONFIG', `"${address.slice(0, 100)}" is not a range such as A1:D10.`, false);
  return worksheetPath(target, `/range(address=${quoteODataText(address)})${part}`);
}

type ExcelRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

const isEmptyCell = (cell: unknown) => cell === '' || cell === null || cell === undefined;

/** Excel fills rows up to the width of the range: what is empty at the end is cut off. */
const trimRow = (row: readonly unknown[]): unknown[] =>
  row.slice(0, row.findLastIndex((cell) => !isEmptyCell(cell)) + 1);

/** The cells of a range. */
export function readRangeCells(body: unknown, isShown = false): SheetCells {
  const values = getAtPath(body, isShown ? 'text' : 'values');
  return Array.isArray(values) ? (values as SheetCells) : [];
}

/** The cells of a sheet from its first one on, without empty ones at the end. */
export function* readWorksheetCells(target: WorksheetTarget, isShown = false): ExcelRequests<SheetCells> {
  const field = isShown ? 'text' : 'values';
  const { body } = yield {
    path: worksheetPath(target, '/usedRange(valuesOnly=true)'),
    query: { $select: `rowIndex,columnIndex,${field}` },
  };
  const [above, left] = [Number(getAtPath(body, 'rowIndex') ?? 0), Number(getAtPath(body, 'columnIndex') ?? 0)];
  const before: unknown[] = Array.from({ length: left }, () => '');
  const cells = readRangeCells(body, isShown).map((row) => {
    const trimmed = trimRow(row);
    return trimmed.length === 0 ? [] : [...before, ...trimmed];
  });
  const all: SheetCells = [...Array.from({ length: above }, (): unknown[] => []), ...cells];
  return all.slice(0, all.findLastIndex((row) => row.length > 0) + 1);
}

export const writeWorksheetRange = (target: WorksheetTarget, address: string, values: SheetCells): ApiRequest => ({
  method: 'PATCH',
  path: worksheetRangePath(target, address),
  body: { as: 'json', value: { values } },
});
