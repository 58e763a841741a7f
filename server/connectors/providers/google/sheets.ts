import { NodeFailure } from '@/server/errors/node-failure';
import { stepped, type ConnectorOperation } from '../../operation';
import { choice, count, flag, objects, pairs, word } from '../../parameters';
import { at } from '@/server/expressions/dotted-path';
import { fileId, idIn } from './ids';
import { append, change, headerIn, propertiesOf, read, update, write } from './sheet-requests';
import { cellsIn, objectsOf, rangeOf, ROW_NUMBER, valuesPath } from './sheet-values';

// https://developers.google.com/workspace/sheets/api/reference/rest/v4/spreadsheets.values
const api = 'sheets';
const spreadsheet = fileId('Spreadsheet');
const sheet = word('Sheet').describe('Name of the sheet in the spreadsheet, e.g. Sheet1');
const headerRow = count('Header row', 1000)
  .optional()
  .describe('Number of the row with the names of the columns; default 1');
const input = choice('Values', ['USER_ENTERED', 'RAW'])
  .optional()
  .describe('USER_ENTERED (default): as if typed, with formulas and dates. RAW: unchanged');
const row = pairs('Row').describe('Name of a column and its value; columns that are missing are added');
const key = word('Key column').describe(`The column whose value identifies the row; ${ROW_NUMBER}: its number`);

// https://developers.google.com/workspace/sheets/api/limits
const limits = '300 reads and 300 writes a minute for a project, 60 of each for a user.';
const example = [{ [ROW_NUMBER]: 2, Name: 'Ada', Email: 'ada@example.com' }];

const common = { spreadsheet, sheet };
const written = { ...common, headerRow, input };

export const sheets: ConnectorOperation[] = [
  stepped({
    id: 'sheets.read_rows',
    title: 'Read rows',
    help: 'All rows as objects with the names of the header and row_number.',
    limits,
    parameters: {
      ...common,
      headerRow,
      filter: pairs('Only rows with').optional().describe('Name of a column and the value that it must have'),
      limit: count('Rows', 100_000).optional().describe('At most so many rows'),
    },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, filter = {}, limit }) {
      const { body } = yield read(idIn(given), rangeOf(name));
      const wanted = Object.entries(filter);
      const rows = objectsOf(cellsIn(body), head).filter((one) =>
        wanted.every(([column, value]) => String(one[column] ?? '') === String(value ?? '')),
      );
      return limit === undefined ? rows : rows.slice(0, limit);
    },
    example,
    poll: {
      title: 'New row',
      words: 'google sheets trigger row added spreadsheet',
      items: 'input.body',
      key: `item.${ROW_NUMBER}`,
    },
  }),
  stepped({
    id: 'sheets.append_row',
    title: 'Append a row',
    help: 'Writes one row below the last one, by the names of the header.',
    limits,
    parameters: { ...written, row },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, row: one }) {
      const target = { id: idIn(given), name, head, input: mode };
      return yield* append(target, yield* headerIn(target), [one]);
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      updatedRange: "'Sheet1'!A5:B5",
      updatedRows: 1,
    },
  }),
  stepped({
    id: 'sheets.append_rows',
    title: 'Append rows',
    help: 'Writes a list of objects below the last row in one call.',
    limits,
    parameters: { ...written, rows: objects('Rows', 10_000).describe('Objects with names of columns and values') },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, rows }) {
      if (rows.length === 0) return { updatedRows: 0 };
      const target = { id: idIn(given), name, head, input: mode };
      return yield* append(target, yield* headerIn(target), rows);
    },
    example: { updatedRange: "'Sheet1'!A5:B7", updatedRows: 3 },
  }),
  stepped({
    id: 'sheets.update_row',
    title: 'Update a row',
    help: 'Changes the columns that are given, in the row with the same value in the key column.',
    limits,
    parameters: { ...written, key, row },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, key: column, row: one }) {
      const target = { id: idIn(given), name, head, input: mode };
      const changed = yield* update(target, column, one);
      const body = at(changed, 'body');
      if (body !== undefined) return body;
      throw new NodeFailure('NOT_FOUND', `No row has "${String(one[column])}" in the column "${column}".`, false);
    },
    example: { updatedRange: "'Sheet1'!A2:B2", updatedRows: 1, updatedCells: 2 },
  }),
  stepped({
    id: 'sheets.upsert_row',
    title: 'Append or update a row',
    help: 'Updates the row with the same value in the key column, or appends a new one.',
    limits,
    parameters: { ...written, key, row },
    *steps({ spreadsheet: given, sheet: name, headerRow: head = 1, input: mode, key: column, row: one }) {
      const target = { id: idIn(given), name, head, input: mode };
      const changed = yield* update(target, column, one);
      return at(changed, 'body') ?? (yield* append(target, at(changed, 'header') as string[], [one]));
    },
    example: { updatedRange: "'Sheet1'!A2:B2", updatedRows: 1 },
  }),
  stepped({
    id: 'sheets.clear',
    title: 'Clear a sheet',
    help: 'Removes values; formats stay.',
    limits,
    parameters: {
      ...common,
      range: word('Range').optional().describe('In A1 notation, e.g. A2:D; empty: the whole sheet'),
      keepsHeader: flag('Keep the first row').optional().describe('Only if no range is given'),
    },
    *steps({ spreadsheet: given, sheet: name, range, keepsHeader }) {
      const id = idIn(given);
      const rows = keepsHeader ? Number(at(yield* propertiesOf(id, name), 'gridProperties.rowCount')) : 0;
      if (range === undefined && rows === 1) return { clearedRange: null };
      const part = range ?? (keepsHeader ? `2:${rows}` : undefined);
      const path = valuesPath(id, rangeOf(name, part), ':clear');
      return (yield { method: 'POST', api, path, body: { as: 'json', value: {} } }).body;
    },
    example: { clearedRange: "'Sheet1'!A2:Z1000" },
  }),
  stepped({
    id: 'sheets.delete_rows',
    title: 'Delete rows',
    help: 'Removes rows; the rows below move up.',
    limits,
    parameters: {
      ...common,
      from: count('First row', 10_000_000).describe('Number of the first row to delete, e.g. 2'),
      count: count('Rows', 10_000_000).optional().describe('How many; default 1'),
    },
    *steps({ spreadsheet: given, sheet: name, from, count: rows = 1 }) {
      const id = idIn(given);
      const sheetId = at(yield* propertiesOf(id, name), 'sheetId');
      const range = { sheetId, dimension: 'ROWS', startIndex: from - 1, endIndex: from - 1 + rows };
      return (yield change(id, [{ deleteDimension: { range } }])).body;
    },
    example: { spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms', replies: [{}] },
  }),
  stepped({
    id: 'sheets.read_range',
    title: 'Read a range',
    help: 'The cells of a range as lists.',
    limits,
    parameters: { ...common, range: word('Range').describe('In A1 notation, e.g. A1:D10') },
    *steps({ spreadsheet: given, sheet: name, range }) {
      return cellsIn((yield read(idIn(given), rangeOf(name, range))).body);
    },
    example: [
      ['Name', 'Email'],
      ['Ada', 'ada@example.com'],
    ],
  }),
  stepped({
    id: 'sheets.list_sheets',
    title: 'List the sheets of a spreadsheet',
    help: 'Their names, ids and sizes.',
    limits,
    parameters: { spreadsheet },
    *steps({ spreadsheet: given }) {
      const fields = 'spreadsheetId,properties.title,sheets.properties';
      return (yield { api, path: `/spreadsheets/${idIn(given)}`, query: { fields } }).body;
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      properties: { title: 'Leads' },
      sheets: [{ properties: { sheetId: 0, title: 'Sheet1' } }],
    },
  }),
  stepped({
    id: 'sheets.create_sheet',
    title: 'Add a sheet',
    help: 'Adds a sheet to a spreadsheet.',
    limits,
    parameters: { spreadsheet, title: word('Title', 100).describe('Name of the new sheet') },
    *steps({ spreadsheet: given, title }) {
      return (yield change(idIn(given), [{ addSheet: { properties: { title } } }])).body;
    },
    example: { replies: [{ addSheet: { properties: { sheetId: 1_534_543_251, title: 'March' } } }] },
  }),
  stepped({
    id: 'sheets.create_spreadsheet',
    title: 'Create a spreadsheet',
    help: 'Creates a spreadsheet in My Drive, with a header if columns are given.',
    limits,
    parameters: {
      title: word('Title', 500).describe('Name of the spreadsheet'),
      columns: word('Columns', 5000).optional().describe('Names of the header, separated by commas'),
    },
    *steps({ title, columns }) {
      const made = yield {
        method: 'POST',
        api,
        path: '/spreadsheets',
        body: { as: 'json', value: { properties: { title }, sheets: [{ properties: { title: 'Sheet1' } }] } },
      };
      const header = (columns ?? '').split(',').map((name) => name.trim());
      const id = String(at(made.body, 'spreadsheetId'));
      if (columns !== undefined) yield write(id, rangeOf('Sheet1', 'A1'), [header], 'RAW');
      return { spreadsheetId: id, spreadsheetUrl: at(made.body, 'spreadsheetUrl') };
    },
    example: {
      spreadsheetId: '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms',
      spreadsheetUrl: 'https://docs.google.com/spreadsheets/d/1Bxi…/edit',
    },
  }),
];
