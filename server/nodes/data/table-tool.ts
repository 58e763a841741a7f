import { NodeFailure } from '@/server/errors/node-failure';
import type { Facts } from '../node';

type Schema = Record<string, unknown>;
type Bag = Record<string, unknown>;

/** Rows that a model gets unless it asks for fewer. */
const MAX_FOUND = 100;

const TYPES: Record<string, Schema> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  json: {},
};

const object = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Values by column. */
const rowOf = ({ columns = [] }: Facts): Schema =>
  object(Object.fromEntries(columns.map(({ name, type }) => [name, TYPES[type] ?? {}])));

/** One condition, or several that all or any have to hold. */
function filterOf({ columns = [] }: Facts): Schema {
  const condition = object(
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
  return { anyOf: [condition, object({ and: list }, ['and']), object({ or: list }, ['or'])] };
}

const FIELDS: Record<string, (facts: Facts) => Record<string, Schema>> = {
  get: (facts) => ({ key: { ...rowOf(facts), description: 'The values of the columns that identify the row.' } }),
  find: (facts) => ({
    filter: filterOf(facts),
    sort: { type: 'string', description: 'Columns, separated by commas; - before one reverses it.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_FOUND },
  }),
  count: (facts) => ({ filter: filterOf(facts) }),
  insert: (facts) => ({ row: rowOf(facts) }),
  update: (facts) => ({ filter: filterOf(facts), row: rowOf(facts) }),
  upsert: (facts) => ({ key: rowOf(facts), row: rowOf(facts) }),
  delete: (facts) => ({ filter: filterOf(facts) }),
  increment: ({ columns = [], ...facts }) => ({
    key: rowOf({ columns, ...facts }),
    column: { type: 'string', enum: columns.filter(({ type }) => type === 'number').map(({ name }) => name) },
    by: { type: 'number' },
  }),
};

const OPTIONAL = new Set(['filter', 'sort', 'limit', 'by']);

/** The arguments of a tool: the fields of the operation that its author left open. A filter of the author holds in any case. */
export function argumentsOf(written: Bag, facts: Facts | undefined): Schema | undefined {
  const operation = String(written['operation']);
  const fields = facts && FIELDS[operation]?.(facts);
  if (!fields) return undefined;
  const open = Object.entries(fields).filter(([name]) => name === 'filter' || written[name] === undefined);
  const mustFilter = (operation === 'update' || operation === 'delete') && written['filter'] === undefined;
  const required = open
    .map(([name]) => name)
    .filter((name) => !OPTIONAL.has(name) || (name === 'filter' && mustFilter));
  return object(Object.fromEntries(open), required);
}

const LIMIT = 20;

/** The config of a call: what the model chose never replaces what the author wrote. */
export function withArguments<Config extends Bag>(config: Config, chosen: Bag, written: Bag): Config {
  const { filter, ...others } = chosen;
  const own = config['filter'] ?? undefined;
  if (written['filter'] !== undefined && own === undefined)
    throw new NodeFailure('CONFIG', 'config.filter has no value', false);
  const both = own !== undefined && filter !== undefined ? { and: [own, filter] } : (own ?? filter);
  const limit = config['operation'] === 'find' ? { limit: LIMIT } : {};
  // `all` stays with the author: a model never changes all rows.
  const { all: _, ...rest } = others;
  return { ...limit, ...rest, ...config, ...(both === undefined ? {} : { filter: both }) };
}
