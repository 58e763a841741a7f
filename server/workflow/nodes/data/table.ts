import { z } from 'zod';
import { MAX_ROWS_PER_CALL } from '@/contract/tables/table-columns';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import { defineNodeType, type TableAccess } from '../node-type';
import { convertTableValues } from './table-values';
import { tableToolArguments, mergeTableArguments } from './table-tool';
import { choiceField, choicesFrom, columnsFrom, largeValueField, requiredField, tableReference } from '../field-traits';

/** What people call the operations, in the order of the form. */
const TABLE_OPERATION_LABELS = {
  insert: 'Add a row',
  update: 'Change rows',
  upsert: 'Add a row, or change the one with its key',
  delete: 'Delete rows',
  get: 'Get one row',
  find: 'Find rows',
  count: 'Count rows',
  increment: 'Add to a number',
};
const tableOperationSchema = choiceField(TABLE_OPERATION_LABELS, {
  title: 'Operation',
  apiDescription:
    'get: one row or null. find: rows. count: their number. insert, update, delete: change rows. upsert: changes the row with a key, or inserts it. increment: adds to a number of such a row',
});
type TableOperation = keyof typeof TABLE_OPERATION_LABELS;
const isTableOperation = (value: unknown): value is TableOperation =>
  typeof value === 'string' && Object.hasOwn(TABLE_OPERATION_LABELS, value);

/** The field matters for these operations only. */
const onlyForTable = (...operations: TableOperation[]) => ({ 'x-when': { operation: operations } });

const jsonField = (
  title: string,
  description: string,
  example: unknown,
  operations: TableOperation[],
  editor = 'json',
) =>
  z
    .unknown()
    .optional()
    .apply(largeValueField)
    .meta({ title, description, examples: [example], 'x-editor': editor, ...onlyForTable(...operations) });

const READING_OPERATIONS = new Set<unknown>(['get', 'find', 'count']);
const tableAction = ({ operation }: Record<string, unknown>) => (READING_OPERATIONS.has(operation) ? 'read' : 'write');

const DEPENDS_ON_TABLE = { dependsOn: ['tableId'] };

const tableConfig = z.strictObject({
  operation: tableOperationSchema.apply(requiredField),
  tableId: z
    .string()
    .max(100)
    .optional()
    .apply(requiredField)
    .meta({ apiDescription: 'Which table is read or changed', title: 'Table' })
    .apply(tableReference, tableAction)
    .apply(choicesFrom, 'tables', { search: true }),
  key: jsonField('Key', 'The values of the columns that identify the row.', { email: 'ada@example.com' }, [
    'get',
    'upsert',
    'increment',
  ]).apply(columnsFrom, 'keyColumns', DEPENDS_ON_TABLE),
  row: jsonField('Row', 'Values by column. A column without one is left out.', { name: 'Ada', visits: 1 }, [
    'insert',
    'update',
    'upsert',
  ])
    .meta({ 'x-alternative': 'rows' })
    .apply(columnsFrom, 'columns', { ...DEPENDS_ON_TABLE, isWholeWhen: { operation: ['insert'] } }),
  rows: jsonField(
    'Rows',
    `A list of at most ${MAX_ROWS_PER_CALL} rows, in place of one. A single row counts as a list of one.`,
    [{ name: 'Ada' }],
    ['insert'],
  ),
  filter: jsonField(
    'Filter',
    '{column, operator, value}, or {"and": […]} and {"or": […]}.',
    { column: 'visits', operator: 'gt', value: 10 },
    ['find', 'count', 'update', 'delete'],
    'table-filter',
  ),
  all: z
    .boolean()
    .optional()
    .meta({
      title: 'All rows',
      description: 'Changes or removes every row if there is no filter.',
      default: false,
      ...onlyForTable('update', 'delete'),
    }),
  givesRows: z
    .boolean()
    .optional()
    .meta({
      title: 'Give the rows',
      description: `Gives the rows that it changed or removed, at most ${MAX_ROWS_PER_CALL}, in place of their number.`,
      default: false,
      ...onlyForTable('update', 'delete'),
    }),
  convertsValues: z.boolean().optional().meta({
    title: 'Convert values',
    description:
      'A value becomes one of the type of its column where it can: the text 7 a number in a column of numbers, a number a text in one of texts.',
    default: false,
  }),
  sort: z
    .string()
    .max(1000)
    .optional()
    .meta({
      title: 'Sort',
      description: 'Columns, separated by commas; - before one reverses it. Empty: newest first.',
      examples: ['-createdAt,name'],
      'x-editor': 'sort-columns',
      ...onlyForTable('find'),
    })
    .apply(choicesFrom, 'sortColumns', DEPENDS_ON_TABLE),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_ROWS_PER_CALL)
    .optional()
    .meta({
      title: 'Limit',
      description: `Number of rows, at most ${MAX_ROWS_PER_CALL}.`,
      default: 100,
      ...onlyForTable('find'),
    }),
  column: z
    .string()
    .max(100)
    .optional()
    .meta({ title: 'Column', description: 'The column of type number.', ...onlyForTable('increment') })
    .apply(choicesFrom, 'numberColumns', DEPENDS_ON_TABLE),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...onlyForTable('increment') }),
});

type TableConfig = z.output<typeof tableConfig>;

const MAX_TABLE_FIELD_JSON = 1024 * 1024;

/** The config with its large values parsed. Throws for those that would take long. */
function parseLargeFields(given: TableConfig): TableConfig {
  const config = { ...given };
  for (const [field, value] of Object.entries<unknown>(config)) {
    if (!isLargeJson(value)) continue;
    if (value.text.length > MAX_TABLE_FIELD_JSON)
      throw new NodeFailure('VALUE_TOO_LARGE', `config.${field} has more than 1 MiB of JSON`, false);
    Object.assign(config, { [field]: JSON.parse(value.text) as unknown });
  }
  return config;
}

/** Throws for a change of all rows that was not asked for: an expression may have returned nothing. */
function requireFilterOrAll({ filter, all }: TableConfig): void {
  if ((filter ?? null) !== null || all) return;
  throw new NodeFailure('CONFIG', 'config.filter has no value; set config.all to change all rows', false);
}

const TABLE_OPERATIONS: Record<TableOperation, (table: TableAccess, config: TableConfig) => Promise<unknown>> = {
  get: (table, { key }) => table.get(key),
  find: (table, { filter, sort, limit = 100 }) => table.find({ filter: filter ?? undefined, sort, limit }),
  count: (table, { filter }) => table.count(filter ?? undefined),
  async insert(table, { row, rows }) {
    if (rows === undefined) return (await table.insert([row]))[0];
    // JSONata returns one match as itself.
    const list: unknown[] = Array.isArray(rows) ? rows : [rows];
    if (list.length > MAX_ROWS_PER_CALL)
      throw new NodeFailure('CONFIG', `config.rows must be a list of at most ${MAX_ROWS_PER_CALL} rows`, false);
    return list.length === 0 ? [] : table.insert(list);
  },
  async update(table, given) {
    requireFilterOrAll(given);
    const change = { filter: given.filter ?? undefined, row: given.row };
    return given.givesRows ? table.updateAndList(change) : { count: await table.update(change) };
  },
  async delete(table, given) {
    requireFilterOrAll(given);
    const filter = given.filter ?? undefined;
    return given.givesRows ? table.removeAndList(filter) : { count: await table.remove(filter) };
  },
  upsert: (table, { key, row }) => table.upsert({ key, row }),
  increment: (table, { key, column, by = 1 }) => table.increment({ key, column, by }),
};

/** The fields that an operation cannot do without. */
const REQUIRED_TABLE_FIELDS: Record<TableOperation, (keyof TableConfig)[]> = {
  get: ['key'],
  find: [],
  count: [],
  insert: [],
  update: ['row'],
  delete: [],
  upsert: ['key', 'row'],
  increment: ['key', 'column'],
};

function findMissingTableFields(source: Record<string, unknown>): { field: string; message: string }[] {
  const { operation } = source;
  if (!isTableOperation(operation)) return [];
  const gaps = REQUIRED_TABLE_FIELDS[operation].filter((field) => source[field] === undefined);
  const missing = gaps.map((field) => ({ field, message: 'is required' }));
  if (operation === 'insert' && source['row'] === undefined && source['rows'] === undefined)
    missing.push({ field: 'row', message: 'needs a value for a column, or a list of rows in its place' });
  if (operation === 'insert' && source['row'] !== undefined && source['rows'] !== undefined)
    missing.push({ field: 'row', message: 'takes either one row or a list of rows' });
  if ((operation === 'update' || operation === 'delete') && source['filter'] === undefined && source['all'] !== true)
    missing.push({ field: 'filter', message: 'is required, unless all rows are meant' });
  return missing;
}

export const tableNodeType = defineNodeType({
  type: 'table',
  title: 'Table',
  summary: 'Reads and changes rows of a table, exactly once.',
  synonyms: [
    'data table',
    'rows',
    'insert row',
    'update row',
    'upsert',
    'delete row',
    'sheet',
    'spreadsheet',
    'database',
    'storage',
    'airtable',
    'lookup',
  ],
  category: 'data',
  config: tableConfig,
  gaps: findMissingTableFields,
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  isTransactional: true,
  tool: {
    arguments: {
      about: ({ tableId, operation }) =>
        typeof tableId === 'string' && !tableId.includes('{{')
          ? { resource: 'table', id: tableId, action: tableAction({ operation }) }
          : undefined,
      schema: tableToolArguments,
      merge: mergeTableArguments,
    },
  },
  async run({ config: rendered, written }) {
    const given = parseLargeFields(rendered);
    // An expression that returns nothing is the empty list.
    if (written['rows'] !== undefined) given.rows ??= [];
    const { tableId = '', operation = 'get' } = given;
    return {
      kind: 'change',
      async apply(data) {
        const table = await data.table(tableId);
        const config = given.convertsValues ? convertTableValues(given, table.columns) : given;
        return TABLE_OPERATIONS[operation](table, config);
      },
    };
  },
});
