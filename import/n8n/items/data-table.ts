import type { WorkflowNode } from '@/contract/workflows/workflow';
import { asN8nObject, asN8nObjects, cutWellFormed, type N8nObject } from '../file';
import type { ItemConversion, ItemNodes } from './item-conversion';
import { RawSource } from './parameter-source';
import { connectNodes } from './connect-nodes';

/** Columns that every data table has. */
const OWN_COLUMNS = new Set(['id', 'createdAt', 'updatedAt']);
/** A table gives at most this many rows at once. */
const MAX_ROWS = 1000;
const DEFAULT_ROWS = 50;

/** The columns of the table that the file describes, with their types in n8n. */
const listColumns = (parameters: N8nObject): { name: string; type: string }[] =>
  asN8nObjects(asN8nObject(parameters['columns'])['schema']).flatMap(({ id, type }) =>
    typeof id === 'string' ? [{ name: id, type: String(type) }] : [],
  );

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  dateTime: 'time',
};

/** Asks for the table, by what the file says of it. */
function askForTable(conversion: ItemConversion): void {
  const { parameters } = conversion.node;
  const { cachedResultName, mode, value } = asN8nObject(parameters['dataTableId']);
  const name = mode === 'name' ? value : cachedResultName;
  const called =
    typeof name === 'string' && !name.startsWith('=') && name !== '' ? ` “${cutWellFormed(name, 100)}”` : '';
  const columns = listColumns(parameters).map(({ name: column, type }) => {
    const word = Object.hasOwn(TYPE_WORDS, type) ? TYPE_WORDS[type] : undefined;
    return word ? `${column} (${word})` : column;
  });
  const described = columns.length > 0 ? `, with the columns ${cutWellFormed(columns.join(', '), 600)}` : '';
  conversion.addChoice('config.tableId', `Choose its table${called}${described}.`);
}

/** Conditions that no filter of a table has, and those whose meaning depends on what the file does not say. */
function checkConditions(conversion: ItemConversion): void {
  const { parameters } = conversion.node;
  const { conditions } = asN8nObject(parameters['filters']);
  const known = new Map(listColumns(parameters).map(({ name, type }) => [name, type]));
  if (conditions !== undefined && !Array.isArray(conditions))
    conversion.addTodo('Write its conditions: they are computed.');
  for (const { keyName, condition = 'eq', keyValue = '' } of asN8nObjects(conditions)) {
    const name = cutWellFormed(String(keyName ?? 'id'), 100);
    const isPlain = !String(keyValue).startsWith('=');
    if (
      condition === 'ilike' ||
      String(condition).startsWith('=') ||
      (condition === 'like' && String(keyValue).includes('%'))
    )
      conversion.addTodo(`Its condition on ${name} has no counterpart here: the node fails. Replace it.`);
    if (condition === 'like' && !isPlain) conversion.addRemark(`A text for ${name} that contains % makes it fail.`);
    if ((condition === 'isEmpty' || condition === 'isNotEmpty') && !known.has(name) && !OWN_COLUMNS.has(name))
      conversion.addTodo(`Check its condition on ${name}: n8n takes an empty text for none, here it is a text.`);
    if (name === 'id' && ((isPlain && keyValue !== '') || !['eq', 'neq'].includes(String(condition))))
      conversion.addTodo('Check its condition on the id: ids are texts here.');
  }
}

/** The filter of the conditions; n8n refuses some operations without one. */
function writeFilter(conversion: ItemConversion, isRequired: boolean): string {
  const { version, parameters } = conversion.node;
  const { filters, matchType } = parameters;
  const texts = listColumns(parameters).flatMap(({ name, type }) => (type === 'string' ? [name] : []));
  checkConditions(conversion);
  return `{{ n8n.tableFilter(${version}, ${conversion.code({ filters, matchType, isRequired, texts })}) }}`;
}

const writeFields = (conversion: ItemConversion, columns: N8nObject): string =>
  `{{ n8n.tableRow(${conversion.node.version}, ${conversion.code({ columns })}) }}`;

/** The values of a row. */
function writeRow(conversion: ItemConversion): string {
  const { mappingMode = 'defineBelow', value } = asN8nObject(conversion.node.parameters['columns']);
  if (mappingMode === 'defineBelow' && Object.keys(asN8nObject(value)).length === 0)
    conversion.addChoice('config.row', 'Enter the values of its row.');
  return writeFields(conversion, { mappingMode, value });
}

/** The config of the call, and JavaScript for the items that go on. `item`: that of the item that came in. */
interface TableCall {
  config: Record<string, unknown>;
  writeAnswer: (item: string) => string;
}

/** JavaScript that stops where there may be more rows than a table gives. */
const REFUSE_MORE_ROWS = `(rows) => { if (rows.length >= ${MAX_ROWS}) throw new Error('More than ${MAX_ROWS - 1} rows match: narrow the conditions.'); return rows; }`;

/** The rows that the table gives become items. */
const writeRowItems =
  ({ node, code }: ItemConversion, shape?: string) =>
  (item: string): string => {
    const around = { output: new RawSource('input'), source: new RawSource(item), path: '' };
    return `n8n.answerItems(${node.version}, ${code({ ...around, ...(shape ? { shape: new RawSource(shape) } : {}) })})`;
  };

/** The order of rows: that of a column, else the one in which they were added. */
function writeSort(conversion: ItemConversion): string {
  const { orderBy = false, orderByColumn = 'createdAt', orderByDirection = 'DESC' } = conversion.node.parameters;
  if (orderBy === false) return 'createdAt';
  if ([orderBy, orderByColumn, orderByDirection].some((one) => String(one).startsWith('=')))
    conversion.addTodo('Choose the order of its rows: it is computed.');
  return orderByDirection === 'ASC' ? String(orderByColumn) : `-${String(orderByColumn)},id`;
}

function findRows(conversion: ItemConversion): TableCall {
  const { returnAll = false, limit = DEFAULT_ROWS } = conversion.node.parameters;
  const isAll = returnAll === true;
  if (typeof returnAll !== 'boolean') conversion.addTodo('Choose how many rows it gives: it is computed.');
  if (isAll) conversion.addRemark(`It fails where more than ${MAX_ROWS - 1} rows match.`);
  if (!isAll && Number(limit) > MAX_ROWS) conversion.addTodo(`It gives at most ${MAX_ROWS} rows.`);
  const most = typeof limit === 'number' ? Math.min(Math.max(Math.trunc(limit), 1), MAX_ROWS) : conversion.text(limit);
  const config = {
    operation: 'find',
    filter: writeFilter(conversion, false),
    sort: writeSort(conversion),
    limit: isAll ? MAX_ROWS : most,
  };
  return { config, writeAnswer: writeRowItems(conversion, isAll ? REFUSE_MORE_ROWS : undefined) };
}

/** Items go on where a row matches them, or where none does. An item with an error goes on, too. */
const testRows =
  (isMatch: boolean) =>
  (conversion: ItemConversion): TableCall => ({
    config: { operation: 'find', filter: writeFilter(conversion, false), limit: 1 },
    writeAnswer: (item) =>
      `Array.isArray(input) ? (input.length ${isMatch ? '>' : '==='} 0 ? [${item}] : []) : [input]`,
  });

function insertRow(conversion: ItemConversion): TableCall {
  const { optimizeBulk } = asN8nObject(conversion.node.parameters['options']);
  if (optimizeBulk === true)
    conversion.addTodo('Check what comes after it: n8n gives the number of rows, and here each row is an item.');
  return { config: { operation: 'insert', row: writeRow(conversion) }, writeAnswer: writeRowItems(conversion) };
}

const REMARK_MANY_ROWS = `It fails, and changes nothing, where more than ${MAX_ROWS} rows match.`;

function updateRows(conversion: ItemConversion): TableCall {
  const filter = writeFilter(conversion, true);
  conversion.addRemark(REMARK_MANY_ROWS);
  const config = { operation: 'update', filter, row: writeRow(conversion), givesRows: true };
  return { config, writeAnswer: writeRowItems(conversion) };
}

function deleteRows(conversion: ItemConversion): TableCall {
  conversion.addRemark(REMARK_MANY_ROWS);
  const config = { operation: 'delete', filter: writeFilter(conversion, true), givesRows: true };
  return { config, writeAnswer: writeRowItems(conversion) };
}

/** Changes the row with the values of the conditions, or adds one. Undefined: they do not name one row. */
function upsertRow(conversion: ItemConversion): TableCall | undefined {
  const { filters, matchType, columns } = conversion.node.parameters;
  const conditions = asN8nObjects(asN8nObject(filters)['conditions']);
  const isKey = conditions.every(
    ({ condition = 'eq', keyName }) => condition === 'eq' && !OWN_COLUMNS.has(String(keyName ?? 'id')),
  );
  if (!isKey || conditions.length === 0 || (conditions.length > 1 && matchType !== 'allConditions')) return undefined;
  const key = Object.fromEntries(conditions.map(({ keyName, keyValue = '' }) => [String(keyName), keyValue]));
  const { mappingMode = 'defineBelow', value } = asN8nObject(columns);
  const added = Object.keys(key).filter((name) => !Object.hasOwn(asN8nObject(value), name));
  if (mappingMode === 'defineBelow' && added.length > 0)
    conversion.addTodo(
      `Check the rows that it adds: they have a value for ${cutWellFormed(added.join(', '), 200)}, too.`,
    );
  conversion.addRemark('It fails where several rows have these values.');
  const config = { operation: 'upsert', key: writeFields(conversion, { value: key }), row: writeRow(conversion) };
  return { config, writeAnswer: writeRowItems(conversion) };
}

const TABLE_CALLS: Readonly<Record<string, (conversion: ItemConversion) => TableCall | undefined>> = {
  get: findRows,
  rowExists: testRows(true),
  rowNotExists: testRows(false),
  insert: insertRow,
  update: updateRows,
  upsert: upsertRow,
  deleteRows,
};

/** Reads and changes rows of a data table. */
export function convertDataTable(conversion: ItemConversion): ItemNodes {
  const { id, node, createId } = conversion;
  const { resource = 'row', operation = 'insert', options, dataTableId } = node.parameters;
  const { dryRun = false } = asN8nObject(options);
  const name = String(operation);
  const convert = resource === 'row' && Object.hasOwn(TABLE_CALLS, name) ? TABLE_CALLS[name] : undefined;
  if (resource === 'table') return conversion.placeholder('Make its tables beforehand: no node does.');
  if (dryRun !== false) return conversion.placeholder('Find the rows with a table node: it has no trial of a change.');
  const call = convert?.(conversion);
  if (!call) return conversion.placeholder('Do it with table nodes: it has no counterpart.');
  const { value } = asN8nObject(dataTableId);
  if (typeof value === 'string' && value.startsWith('='))
    conversion.addTodo('Choose its table: which one it is, is computed.');
  else askForTable(conversion);
  const [items = '', asked = ''] = ['items', 'call'].map((word) => createId(`${id}_${word}`));
  const config = { ...call.config, convertsValues: true };
  const expression = call.writeAnswer(`paired.${items}`);
  const made = conversion.eachNode({ type: 'transform', config: { expression } }, ['output'], true, items);
  const before = conversion.createItemsNode(items);
  const calling: WorkflowNode = {
    ...conversion.createHelper(asked, 'call', { type: 'table', config }, -1),
    ...(node.retry ? { retry: node.retry } : {}),
    each: node.onError === 'stop' ? {} : { onError: 'continue' },
  };
  return {
    ...made,
    nodes: [before, calling, ...made.nodes],
    connections: [...made.connections, connectNodes(items, asked), connectNodes(asked, id)],
    entries: [items],
  };
}
