import { codeOf, type Conversion, type Piece } from '../../conversion';
import { bag } from '../../file';
import { isExpression, plain } from '../../text';
import type { Convert } from '../flow';
import { needsCredential } from '../http';
import { connectorNode, objectOf, Reader, service, type CallOf } from './service';

/** The spreadsheet and the sheet; older nodes have a range such as `Sheet1!A:C`. */
function target(read: Reader): Record<string, unknown> {
  const range = read.text('range')?.split('!') ?? [];
  const sheet = read.nameOf('sheetName') ?? (range.length > 1 ? range[0]?.replaceAll(/^'|'$/g, '') : undefined);
  const { mode } = bag(read.conversion.node.parameters['sheetName']);
  const isNumber = sheet === undefined || /^(gid=)?\d+$/.test(sheet) || mode === 'id' || mode === 'url';
  if (isNumber) read.todo('Enter the name of its sheet.');
  return { spreadsheet: read.text('documentId', 'sheetId'), sheet: sheet ?? 'Sheet1' };
}

/** The values of a row: those that are entered, or the item that comes in. */
function row(read: Reader): unknown {
  const entered = read.fields('columns.value');
  if (Object.keys(entered).length > 0) return entered;
  return (
    read.pairs('fieldsUi.fieldValues', 'fieldId', 'fieldValue') ??
    read.pairs('fieldsUi.values', 'column', 'fieldValue') ??
    read.item
  );
}

const key = (read: Reader): unknown => {
  const [first] = (read.get('columns.matchingColumns') as unknown[] | undefined) ?? [];
  const found = typeof first === 'string' && !isExpression(first) ? plain(first) : read.text('columnToMatchOn', 'key');
  if (found === undefined) read.todo('Enter the column that identifies its row.');
  return found;
};

/** A row that is found by a column. The value of the column is one of the row. */
const found =
  (operation: string): CallOf =>
  (read) => {
    const column = key(read);
    const values = row(read);
    const value = read.value('valueToMatchOn');
    const isWhole = typeof values !== 'object' || value === undefined || typeof column !== 'string';
    return {
      operation,
      parameters: { ...target(read), key: column, row: isWhole ? values : { [column]: value, ...(values as object) } },
    };
  };

const rows: CallOf = (read) => {
  const filter = read.pairs('filtersUI.values', 'lookupColumn', 'lookupValue');
  const only = read.isSet('options.returnFirstMatch') ? 1 : undefined;
  if (read.get('combineFilters') === 'OR') read.todo('Its conditions apply together here.');
  return { operation: 'sheets.read_rows', parameters: { ...target(read), filter, limit: only }, isList: true };
};

const CALLS: Readonly<Record<string, CallOf>> = {
  'sheet.read': rows,
  'sheet.lookup': (read) => {
    const column = read.text('lookupColumn');
    const filter = column === undefined ? undefined : { [column]: read.value('lookupValue') };
    return { operation: 'sheets.read_rows', parameters: { ...target(read), filter, limit: 1 }, isList: true };
  },
  'sheet.append': (read) => ({ operation: 'sheets.append_row', parameters: { ...target(read), row: row(read) } }),
  'sheet.update': found('sheets.update_row'),
  'sheet.appendOrUpdate': found('sheets.upsert_row'),
  'sheet.upsert': found('sheets.upsert_row'),
  'sheet.clear': (read) => {
    const part = read.get('clear') ?? 'wholeSheet';
    if (part !== 'wholeSheet' && part !== 'specificRange') read.todo('Enter the range that it clears.');
    const parameters = {
      ...target(read),
      range: read.text('range'),
      keepsHeader: read.isSet('keepFirstRow') || undefined,
    };
    return { operation: 'sheets.clear', parameters };
  },
  'sheet.delete': (read) => ({
    operation: 'sheets.delete_rows',
    parameters: { ...target(read), from: read.value('startIndex') ?? 2, count: read.value('numberToDelete') ?? 1 },
  }),
  'sheet.create': (read) => ({
    operation: 'sheets.create_sheet',
    parameters: { spreadsheet: read.text('documentId', 'sheetId'), title: read.text('title') },
  }),
  'spreadsheet.create': (read) => ({
    operation: 'sheets.create_spreadsheet',
    parameters: { title: read.text('title') },
  }),
};

const each = service({
  connector: 'google',
  name: 'Google',
  resource: 'sheet',
  operation: { sheet: 'read', spreadsheet: 'create' },
  calls: CALLS,
});

/** The rows of a list as JSONata. */
function rowsCode(conversion: Conversion): string {
  const values = Object.entries(bag(bag(conversion.node.parameters['columns'])['value']));
  if (values.length === 0) return conversion.items;
  const inner = conversion.expressions('$item', '$index');
  const entries = values.map(([name, value]) => [name, codeOf(value, inner)] as const);
  return `[$map(${conversion.items}, function($item, $index) { ${objectOf(entries)} })]`;
}

/** Appends all rows of a list by one call: the API allows few calls a minute. */
function appended(conversion: Conversion): Piece {
  needsCredential(conversion, 'an account of Google');
  const place = target(new Reader(conversion, conversion.expressions(conversion.json)));
  const parameters = { ...place, rows: `{{ ${rowsCode(conversion)} }}` };
  return conversion.whole(connectorNode('google', { operation: 'sheets.append_rows', parameters }));
}

export const googleSheets: Convert = (conversion) => {
  const { operation, fieldsUi } = conversion.node.parameters;
  const isWhole = operation === 'append' && fieldsUi === undefined && conversion.source.isList;
  return isWhole ? appended(conversion) : each(conversion);
};
