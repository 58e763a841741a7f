import { asN8nObject } from '../../file';
import { isN8nExpression, escapeBraces } from '../../n8n-expressions';
import { serviceConverter, type ConnectorCallBuilder, type ParameterReader } from './service';

/** A sheet that is given by its number or its address, as Weft takes it. Undefined: its name is known. */
function sheetByNumber(read: ParameterReader): string | undefined {
  const { mode, cachedResultName: name } = asN8nObject(read.conversion.node.parameters['sheetName']);
  const given = read.text('sheetName');
  if (given === undefined || mode === 'name' || (mode === 'list' && name)) return undefined;
  const [, number] = /(?:^|gid=)(\d+)$/.exec(given) ?? [];
  if (number === given && mode === undefined) read.addTodo('Check whether this is the name of its sheet.');
  else if (number !== undefined) return `gid=${number}`;
  if (mode === 'id' && given.includes('{{')) return `gid=${given}`;
  if (mode === 'id' || mode === 'url') read.addTodo('Enter the name of its sheet.');
  return undefined;
}

/** The spreadsheet and the sheet; older nodes have a range such as `Sheet1!A:C`. */
function sheetTarget(read: ParameterReader): Record<string, unknown> {
  const range = read.text('range')?.split('!') ?? [];
  const named = sheetByNumber(read) ?? read.chosenName('sheetName');
  const sheet = named ?? (range.length > 1 ? range[0]?.replaceAll(/^'|'$/g, '') : undefined);
  // Before version 3 a range without a sheet is one of the first sheet.
  if (sheet === undefined && read.isEmpty('sheetName', 'range'))
    read.addChoice('sheet', 'Enter the name of its sheet.');
  else if (sheet === undefined) read.addTodo('Enter the name of its sheet.');
  if (read.conversion.node.parameters['documentId'] === undefined && read.isEmpty('sheetId'))
    read.addChoice('spreadsheet', 'Choose its document.');
  return { spreadsheet: read.text('documentId', 'sheetId'), sheet: sheet ?? 'Sheet1' };
}

/** The values of a row: those that are entered, or the item that comes in. */
function sheetRowValues(read: ParameterReader): unknown {
  const entered = read.fields('columns.value');
  if (Object.keys(entered).length > 0) return entered;
  const { version, parameters } = read.conversion.node;
  const isEntered = (read.get('columns.mappingMode') ?? 'defineBelow') === 'defineBelow';
  if (version >= 4 && isEntered && Object.keys(asN8nObject(parameters['columns'])).length === 0) {
    read.addChoice('row', 'Enter the values that it sends.');
    return undefined;
  }
  return (
    read.pairs('fieldsUi.fieldValues', 'fieldId', 'fieldValue') ??
    read.pairs('fieldsUi.values', 'column', 'fieldValue') ??
    read.item
  );
}

const sheetKeyColumn = (read: ParameterReader): unknown => {
  const [first] = (read.get('columns.matchingColumns') as unknown[] | undefined) ?? [];
  const found =
    typeof first === 'string' && !isN8nExpression(first) ? escapeBraces(first) : read.text('columnToMatchOn', 'key');
  const isOpen = found === undefined && first === undefined && read.isEmpty('columnToMatchOn');
  if (isOpen) read.addChoice('key', 'Enter the column that identifies its row.');
  else if (found === undefined) read.addTodo('Enter the column that identifies its row.');
  return found;
};

/** A row that is found by a column. The value of the column is one of the row. */
const keyedRowCall =
  (operation: string): ConnectorCallBuilder =>
  (read) => {
    const column = sheetKeyColumn(read);
    const values = sheetRowValues(read);
    const value = read.value('valueToMatchOn');
    const isWhole = typeof values !== 'object' || value === undefined || typeof column !== 'string';
    return {
      operation,
      parameters: {
        ...sheetTarget(read),
        key: column,
        row: isWhole ? values : { [column]: value, ...(values as object) },
      },
    };
  };

const readSheetRowsCall: ConnectorCallBuilder = (read) => {
  const filter = read.pairs('filtersUI.values', 'lookupColumn', 'lookupValue');
  const only = read.isSet('options.returnFirstMatch') ? 1 : undefined;
  if (read.get('combineFilters') === 'OR') read.addTodo('Its conditions apply together here.');
  return { operation: 'sheets.read_rows', parameters: { ...sheetTarget(read), filter, limit: only }, isList: true };
};

const SHEETS_CALLS: Readonly<Record<string, ConnectorCallBuilder>> = {
  'sheet.read': readSheetRowsCall,
  'sheet.lookup': (read) => {
    const column = read.text('lookupColumn');
    const filter = column === undefined ? undefined : { [column]: read.value('lookupValue') };
    return { operation: 'sheets.read_rows', parameters: { ...sheetTarget(read), filter, limit: 1 }, isList: true };
  },
  'sheet.append': (read) => ({
    operation: 'sheets.append_row',
    parameters: { ...sheetTarget(read), row: sheetRowValues(read) },
  }),
  'sheet.update': keyedRowCall('sheets.update_row'),
  'sheet.appendOrUpdate': keyedRowCall('sheets.upsert_row'),
  'sheet.upsert': keyedRowCall('sheets.upsert_row'),
  'sheet.clear': (read) => {
    const part = read.get('clear') ?? 'wholeSheet';
    if (part !== 'wholeSheet' && part !== 'specificRange') read.addTodo('Enter the range that it clears.');
    const parameters = {
      ...sheetTarget(read),
      range: read.text('range'),
      keepsHeader: read.isSet('keepFirstRow') || undefined,
    };
    return { operation: 'sheets.clear', parameters };
  },
  'sheet.delete': (read) => {
    const count = read.value('numberToDelete') ?? 1;
    return read.get('toDelete') === 'columns'
      ? {
          operation: 'sheets.delete_columns',
          parameters: { ...sheetTarget(read), from: read.text('startIndex') ?? 'A', count },
        }
      : {
          operation: 'sheets.delete_rows',
          parameters: { ...sheetTarget(read), from: read.value('startIndex') ?? 2, count },
        };
  },
  'sheet.remove': (read) => ({ operation: 'sheets.delete_sheet', parameters: sheetTarget(read) }),
  'sheet.create': (read) => ({
    operation: 'sheets.create_sheet',
    parameters: { spreadsheet: read.text('documentId', 'sheetId'), title: read.text('title') },
  }),
  'spreadsheet.create': (read) => ({
    operation: 'sheets.create_spreadsheet',
    parameters: { title: read.text('title') },
  }),
};

export const convertGoogleSheets = serviceConverter({
  connector: 'google',
  name: 'Google',
  resource: 'sheet',
  operation: { sheet: 'read', spreadsheet: 'create' },
  calls: SHEETS_CALLS,
});
