import { NodeFailure } from '@/server/platform/errors/node-failure';
import { defineSteppedOperation, type ApiRequest, type ApiResponse, type OperationDefinition } from '../../operation';
import {
  booleanParameter,
  columnRowsParameter,
  columnsParameter,
  listedLineParameter,
  numberParameter,
  valueLineParameter,
} from '../../parameters';
import { getAtPath } from '@/server/evaluation/expressions/dotted-path';
import {
  missingColumns,
  objectToCells,
  ROW_NUMBER_FIELD,
  rowsToObjects,
  type SheetCells,
} from '../google/sheet-values';
import {
  readRangeCells,
  shownTextParameter,
  tableParameters,
  TABLE_FIELDS,
  tableNameParameter,
  workbookParameters,
  workbookPath,
  workbookPathParameters,
  workbookPaths,
  workbookPlace,
  type WorkbookTarget,
} from './excel-parts';
import { collectGraphItems, encodePathPart, EXCEL_RATE_LIMIT, microsoftGraphPaging } from './graph-parts';

const shared = { limits: EXCEL_RATE_LIMIT };
const tableExample = { id: '{00000000-000C-0000-FFFF-FFFF00000000}', name: 'Table1', showHeaders: true };
const tableRowExample = { index: 0, Name: 'Ada', Email: 'ada@example.com' };

interface TableTarget extends WorkbookTarget {
  table: string;
}

const tablePath = ({ table, ...workbook }: TableTarget, part = '') =>
  workbookPath(workbook, `/tables/${encodePathPart(table)}${part}`);

type TableRequests<Result> = Generator<ApiRequest, Result, ApiResponse>;

function* readTableColumns(target: TableTarget): TableRequests<string[]> {
  const columns = yield* collectGraphItems({ path: tablePath(target, '/columns'), query: { $select: 'name,index' } });
  return columns.map((column) => String(getAtPath(column, 'name')));
}

interface TableContent {
  columns: string[];
  /** As objects, with their places in the table. */
  rows: Record<string, unknown>[];
}

function* readTable(target: TableTarget, isShown: boolean | undefined): TableRequests<TableContent> {
  const columns = yield* readTableColumns(target);
  const query = { $select: isShown ? 'text' : 'values' };
  const { body } = yield { path: tablePath(target, '/dataBodyRange'), query };
  const cells: SheetCells = [columns, ...readRangeCells(body, isShown)];
  const rows = rowsToObjects(cells, 1).map(({ [ROW_NUMBER_FIELD]: number, ...row }) => ({
    index: Number(number) - 2,
    ...row,
  }));
  return { columns, rows };
}

/** Arranges rows by the columns of a table. Throws NodeFailure CONFIG for a column that the table lacks. */
function toTableCells(columns: string[], rows: Record<string, unknown>[]): SheetCells {
  const [missing] = missingColumns(columns, rows);
  if (missing !== undefined) throw new NodeFailure('CONFIG', `The table has no column "${missing}".`, false);
  return rows.map((row) => objectToCells(columns, row));
}

const addTableRows = (target: TableTarget, values: SheetCells): ApiRequest => ({
  method: 'POST',
  path: tablePath(target, '/rows/add'),
  body: { as: 'json', value: { index: null, values } },
});

/** Finds the first row whose column has a value. Throws NodeFailure CONFIG. */
function findTableRow(
  { columns, rows }: TableContent,
  column: string,
  wanted: unknown,
): Record<string, unknown> | undefined {
  if (!columns.includes(column)) throw new NodeFailure('CONFIG', `The table has no column "${column}".`, false);
  if (wanted === undefined || wanted === null || wanted === '')
    throw new NodeFailure('CONFIG', `The row has no value for "${column}", which identifies it.`, false);
  return rows.find((row) => String(row[column]) === String(wanted));
}

const tableIndex = numberParameter('Row').int().min(0).describe('Its place in the table, from 0: `index` of a row');
const tableKey = listedLineParameter('Key column', 'tableColumns', TABLE_FIELDS, 255).describe(
  'The column whose value identifies the row',
);

/** Operations with the tables of a workbook. */
export const excelTableOperations: OperationDefinition[] = [
  {
    ...shared,
    id: 'tables.list',
    title: 'List the tables of a workbook',
    help: 'Their names and ids.',
    method: 'GET',
    ...workbookPaths('/tables'),
    unsent: workbookPlace,
    inPath: workbookPathParameters,
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [tableExample] },
  },
  {
    ...shared,
    id: 'tables.list_columns',
    title: 'List the columns of a table',
    help: 'Their names, in their order.',
    method: 'GET',
    ...workbookPaths('/tables/{table}/columns'),
    unsent: workbookPlace,
    inPath: { ...workbookPathParameters, table: tableNameParameter },
    query: { $select: 'id,name,index' },
    items: 'value',
    paging: microsoftGraphPaging,
    example: { value: [{ id: '1', name: 'Name', index: 0 }] },
  },
  defineSteppedOperation({
    ...shared,
    id: 'tables.list_rows',
    title: 'Read the rows of a table',
    help: 'As objects with the names of the columns and index.',
    parameters: { ...tableParameters, isShown: shownTextParameter },
    *steps({ isShown, ...target }) {
      return (yield* readTable(target, isShown)).rows;
    },
    example: [tableRowExample],
    poll: {
      title: 'New row in a table',
      words: 'excel trigger row added table workbook',
      items: 'input.body',
      key: 'item.index',
    },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.find_row',
    title: 'Find a row of a table',
    help: 'The first row with a value in a column; nothing if there is none.',
    parameters: {
      ...tableParameters,
      column: listedLineParameter('Column', 'tableColumns', TABLE_FIELDS, 255).describe('Name of the column'),
      value: valueLineParameter('Value', 'search', 10_000).describe('What the column must have'),
      isShown: shownTextParameter,
    },
    *steps({ column, value, isShown, ...target }) {
      return findTableRow(yield* readTable(target, isShown), column, value) ?? null;
    },
    example: tableRowExample,
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.append_row',
    title: 'Append a row to a table',
    help: 'By the names of its columns.',
    parameters: {
      ...tableParameters,
      row: columnsParameter('Row', 'tableColumns', TABLE_FIELDS).describe('Name of a column and its value'),
    },
    *steps({ row, ...target }) {
      const columns = yield* readTableColumns(target);
      return (yield addTableRows(target, toTableCells(columns, [row]))).body;
    },
    example: { index: 7, values: [['Ada', 'ada@example.com']] },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.append_rows',
    title: 'Append rows to a table',
    help: 'A list of objects in one call.',
    parameters: {
      ...tableParameters,
      rows: columnRowsParameter('Rows', 'tableColumns', TABLE_FIELDS, 10_000).describe(
        'Objects with names of columns and values',
      ),
    },
    *steps({ rows, ...target }) {
      if (rows.length === 0) return { index: null, values: [] };
      const columns = yield* readTableColumns(target);
      return (yield addTableRows(target, toTableCells(columns, rows))).body;
    },
    example: { index: 7, values: [['Ada', 'ada@example.com']] },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.upsert_row',
    title: 'Append or update a row of a table',
    help: 'Updates the row with the same value in the key column, or appends a new one.',
    parameters: {
      ...tableParameters,
      key: tableKey,
      row: columnsParameter('Row', 'tableColumns', TABLE_FIELDS).describe('With a value for the key column'),
    },
    *steps({ key, row, ...target }) {
      const content = yield* readTable(target, false);
      const found = findTableRow(content, key, row[key]);
      const values = toTableCells(content.columns, [row]);
      if (!found) return (yield addTableRows(target, values)).body;
      const path = tablePath(target, `/rows/${String(found['index'])}`);
      return (yield { method: 'PATCH', path, body: { as: 'json', value: { values } } }).body;
    },
    example: { index: 7, values: [['Ada', 'ada@example.com']] },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.delete_row',
    title: 'Delete a row of a table',
    help: 'The rows below move up.',
    parameters: { ...tableParameters, index: tableIndex },
    *steps({ index, ...target }) {
      yield { method: 'DELETE', path: tablePath(target, `/rows/${index}`) };
      return { index, deleted: true };
    },
    example: { index: 0, deleted: true },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.create',
    title: 'Create a table',
    help: 'Makes a range of a sheet a table.',
    parameters: {
      ...workbookParameters,
      address: valueLineParameter('Range', 'place', 255).describe('With the sheet, e.g. Sheet1!A1:D5'),
      hasHeaders: booleanParameter('Has a header').default(true).describe('The first row has the names of the columns'),
    },
    *steps({ address, hasHeaders, ...workbook }) {
      const body = { as: 'json', value: { address, hasHeaders } } as const;
      return (yield { method: 'POST', path: workbookPath(workbook, '/tables/add'), body }).body;
    },
    example: tableExample,
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.convert_to_range',
    title: 'Convert a table to a range',
    help: 'The cells stay; the table is gone.',
    parameters: tableParameters,
    *steps(target) {
      return (yield { method: 'POST', path: tablePath(target, '/convertToRange') }).body;
    },
    example: { address: 'Sheet1!A1:D5' },
  }),
  defineSteppedOperation({
    ...shared,
    id: 'tables.delete',
    title: 'Delete a table',
    help: 'With its cells.',
    parameters: tableParameters,
    *steps(target) {
      yield { method: 'DELETE', path: tablePath(target) };
      return { table: target.table, deleted: true };
    },
    example: { table: 'Table1', deleted: true },
  }),
];
