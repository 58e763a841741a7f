import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { WorkspaceObjectDetails } from '../node-type';

type ArgumentSchema = Record<string, unknown>;
type TableToolConfig = Record<string, unknown>;

/** A model gets at most this many rows. */
const MAX_TOOL_ROWS = 100;

const COLUMN_SCHEMAS: Record<string, ArgumentSchema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  json: {},
};

const strictObjectSchema = (properties: Record<string, ArgumentSchema>, required: string[] = []): ArgumentSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Values by column. */
const rowSchema = ({ columns = [] }: WorkspaceObjectDetails): ArgumentSchema =>
  strictObjectSchema(Object.fromEntries(columns.map(({ name, type }) => [name, COLUMN_SCHEMAS[type] ?? {}])));

/** One condition, or several that all or any have to hold. */
function filterSchema({ columns = [] }: WorkspaceObjectDetails): ArgumentSchema {
  const condition = strictObjectSchema(
    {
      column: { type: 'string', enum: [...columns.map(({ name }) => name), 'id', 'createdAt', 'updatedAt'] },
      operator: {
        type: 'string',
        enum: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'contains', 'starts_with', 'is_null'],
      },
      value: { description: 'A text, number or boolean; a list for in; true or false for is_null.' },
    },
    ['column', 'operator', 'value'],
  );
  const list = { type: 'array', items: condition };
  return { anyOf: [condition, strictObjectSchema({ and: list }, ['and']), strictObjectSchema({ or: list }, ['or'])] };
}

const OPERATION_FIELDS: Record<string, (facts: WorkspaceObjectDetails) => Record<string, ArgumentSchema>> = {
  get: (facts) => ({ key: { ...rowSchema(facts), description: 'The values of the columns that identify the row.' } }),
  find: (facts) => ({
    filter: filterSchema(facts),
    sort: { type: 'string', description: 'Columns, separated by commas; - before one reverses it.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_TOOL_ROWS },
  }),
  count: (facts) => ({ filter: filterSchema(facts) }),
  insert: (facts) => ({ row: rowSchema(facts) }),
  update: (facts) => ({ filter: filterSchema(facts), row: rowSchema(facts) }),
  upsert: (facts) => ({ key: rowSchema(facts), row: rowSchema(facts) }),
  delete: (facts) => ({ filter: filterSchema(facts) }),
  increment: ({ columns = [], ...facts }) => ({
    key: rowSchema({ columns, ...facts }),
    column: { type: 'string', enum: columns.filter(({ type }) => type === 'number').map(({ name }) => name) },
    by: { type: 'number' },
  }),
};

const OPTIONAL_ARGUMENTS = new Set(['filter', 'sort', 'limit', 'by']);

/**
 * The arguments of a tool: the fields of the operation that its author left open. A filter of the author holds in any
 * case.
 */
export function tableToolArguments(
  written: TableToolConfig,
  facts: WorkspaceObjectDetails | undefined,
): ArgumentSchema | undefined {
  const operation = String(written['operation']);
  const fields = facts && OPERATION_FIELDS[operation]?.(facts);
  if (!fields) return undefined;
  const open = Object.entries(fields).filter(([name]) => name === 'filter' || written[name] === undefined);
  const mustFilter = (operation === 'update' || operation === 'delete') && written['filter'] === undefined;
  const required = open
    .map(([name]) => name)
    .filter((name) => !OPTIONAL_ARGUMENTS.has(name) || (name === 'filter' && mustFilter));
  return strictObjectSchema(Object.fromEntries(open), required);
}

const DEFAULT_TOOL_ROWS = 20;

/** The config of a call: what the model chose never replaces what the author wrote. */
export function mergeTableArguments<Config extends TableToolConfig>(
  config: Config,
  chosen: TableToolConfig,
  written: TableToolConfig,
): Config {
  const { filter, ...others } = chosen;
  const own = config['filter'] ?? undefined;
  if (written['filter'] !== undefined && own === undefined)
    throw new NodeFailure('CONFIG', 'config.filter has no value', false);
  const both = own !== undefined && filter !== undefined ? { and: [own, filter] } : (own ?? filter);
  const limit = config['operation'] === 'find' ? { limit: DEFAULT_TOOL_ROWS } : {};
  // `all` stays with the author: a model never changes all rows.
  const { all: _, ...rest } = others;
  return { ...limit, ...rest, ...config, ...(both === undefined ? {} : { filter: both }) };
}
