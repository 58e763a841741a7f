import { z } from 'zod';
import { MAX_ROWS } from '@/contract/tables/table-columns';
import { NodeFailure } from '@/server/errors/node-failure';
import { isLarge } from '@/server/expressions/large-json';
import { nodeKind, type NodeTable } from '../node';
import { argumentsOf, withArguments } from './table-tool';

const OPERATION = z.enum(['get', 'find', 'insert', 'update', 'upsert', 'delete', 'count', 'increment']);
type Operation = z.infer<typeof OPERATION>;

/** The field matters for these operations only. */
const only = (...operations: Operation[]) => ({ 'x-when': { operation: operations } });

const json = (title: string, description: string, example: unknown, operations: Operation[], editor = 'json') =>
  z
    .unknown()
    .optional()
    .meta({ title, description, examples: [example], 'x-editor': editor, ...only(...operations) });

const config = z.strictObject({
  tableId: z
    .string()
    .max(100)
    .optional()
    .meta({ apiDescription: 'Which table is read or changed', title: 'Table', 'x-editor': 'table' }),
  operation: OPERATION.optional().meta({
    title: 'Operation',
    description:
      'get: one row or null. find: rows. count: their number. insert, update, delete: change rows. upsert: changes the row with a key, or inserts it. increment: adds to a number of such a row.',
  }),
  key: json('Key', 'The values of the columns that identify the row.', { email: 'ada@example.com' }, [
    'get',
    'upsert',
    'increment',
  ]),
  row: json('Row', 'Values by column.', { name: 'Ada', visits: 1 }, ['insert', 'update', 'upsert']),
  rows: json(
    'Rows',
    `A list of at most ${MAX_ROWS} rows, in place of one. A single row counts as a list of one.`,
    [{ name: 'Ada' }],
    ['insert'],
  ),
  filter: json(
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
      ...only('update', 'delete'),
    }),
  sort: z
    .string()
    .max(1000)
    .optional()
    .meta({
      title: 'Sort',
      description: 'Columns, separated by commas; - before one reverses it. Empty: newest first.',
      examples: ['-createdAt,name'],
      ...only('find'),
    }),
  limit: z
    .number()
    .int()
    .min(1)
    .max(MAX_ROWS)
    .optional()
    .meta({ title: 'Limit', description: `Number of rows, at most ${MAX_ROWS}.`, default: 100, ...only('find') }),
  column: z
    .string()
    .max(100)
    .optional()
    .meta({ title: 'Column', description: 'The column of type number.', ...only('increment') }),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...only('increment') }),
});

type Config = z.output<typeof config>;

const MAX_CHARACTERS = 1024 * 1024;
const LARGE_FIELDS = ['key', 'row', 'rows', 'filter'] as const;

/** The config with its large values parsed. Throws for those that would take long. */
function parsed(given: Config): Config {
  const config = { ...given };
  for (const field of LARGE_FIELDS) {
    const value = config[field];
    if (!isLarge(value)) continue;
    if (value.text.length > MAX_CHARACTERS)
      throw new NodeFailure('VALUE_TOO_LARGE', `config.${field} has more than 1 MiB of JSON`, false);
    config[field] = JSON.parse(value.text);
  }
  return config;
}

/** Throws for a change of all rows that was not asked for: an expression may have returned nothing. */
function requireAll({ filter, all }: Config): void {
  if ((filter ?? null) !== null || all) return;
  throw new NodeFailure('CONFIG', 'config.filter has no value; set config.all to change all rows', false);
}

const OPERATIONS: Record<Operation, (table: NodeTable, config: Config) => Promise<unknown>> = {
  get: (table, { key }) => table.get(key),
  find: (table, { filter, sort, limit = 100 }) => table.find({ filter: filter ?? undefined, sort, limit }),
  count: (table, { filter }) => table.count(filter ?? undefined),
  async insert(table, { row, rows }) {
    if (rows === undefined) return (await table.insert([row]))[0];
    // JSONata returns one match as itself.
    const list: unknown[] = Array.isArray(rows) ? rows : [rows];
    if (list.length > MAX_ROWS)
      throw new NodeFailure('CONFIG', `config.rows must be a list of at most ${MAX_ROWS} rows`, false);
    return list.length === 0 ? [] : table.insert(list);
  },
  async update(table, given) {
    requireAll(given);
    return { count: await table.update({ filter: given.filter ?? undefined, row: given.row }) };
  },
  async delete(table, given) {
    requireAll(given);
    return { count: await table.remove(given.filter ?? undefined) };
  },
  upsert: (table, { key, row }) => table.upsert({ key, row }),
  increment: (table, { key, column, by = 1 }) => table.increment({ key, column, by }),
};

/** The fields that an operation cannot do without. */
const NEEDED: Record<Operation, (keyof Config)[]> = {
  get: ['key'],
  find: [],
  count: [],
  insert: [],
  update: ['row'],
  delete: [],
  upsert: ['key', 'row'],
  increment: ['key', 'column'],
};

const READING = new Set<unknown>(['get', 'find', 'count']);

function gapsOf(source: Record<string, unknown>): { field: string; message: string }[] {
  const operation = OPERATION.safeParse(source['operation']);
  if (!operation.success) return [];
  const { data } = operation;
  const gaps = NEEDED[data].filter((field) => source[field] === undefined);
  const missing = gaps.map((field) => ({ field, message: `is required to ${data}` }));
  if (data === 'insert' && (source['row'] === undefined) === (source['rows'] === undefined))
    missing.push({ field: 'row', message: 'insert takes either row or rows' });
  if ((data === 'update' || data === 'delete') && source['filter'] === undefined && source['all'] !== true)
    missing.push({ field: 'filter', message: `is required, unless all is set to ${data} every row` });
  return missing;
}

export const table = nodeKind({
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
  config,
  required: ['tableId', 'operation'],
  gaps: gapsOf,
  expressions: [],
  literals: ['operation'],
  largeFields: [...LARGE_FIELDS],
  table: { field: 'tableId', action: ({ operation }) => (READING.has(operation) ? 'read' : 'write') },
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
          ? { resource: 'table', id: tableId, action: READING.has(operation) ? 'read' : 'write' }
          : undefined,
      schema: argumentsOf,
      merge: withArguments,
    },
  },
  async run({ config: rendered, written }) {
    const given = parsed(rendered);
    // An expression that returns nothing is the empty list.
    if (written['rows'] !== undefined) given.rows ??= [];
    const { tableId = '', operation = 'get' } = given;
    return { kind: 'change', apply: async (data) => OPERATIONS[operation](await data.table(tableId), given) };
  },
});
