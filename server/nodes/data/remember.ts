import { z } from 'zod';
import { NodeFailure } from '@/server/errors/node-failure';
import { EvaluationFailed, keyItems, type KeyedItems } from '@/server/evaluation/evaluation';
import { isLarge, jsonOf } from '@/server/expressions/large-json';
import { itemsField, listOf } from '../list/lists';
import { nodeKind, type ChangeData, type Outcome, type RunContext } from '../node';

export const MAX_REMEMBERED_BYTES = 64 * 1024;
export const MAX_REMEMBERED_ITEMS = 10_000;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** The field matters for these operations only. */
const only = (...operations: string[]) => ({ 'x-when': { operation: operations } });

const config = z.strictObject({
  operation: z.enum(['get', 'set', 'add', 'seen']).optional().meta({
    title: 'Operation',
    description:
      'get: the value, or null. set: stores a value. add: adds to a number and returns the new one. seen: passes on the items that were not seen before.',
  }),
  scope: z.enum(['workflow', 'workspace']).optional().meta({
    title: 'Scope',
    description: 'Whether only this workflow remembers it, or all workflows of the workspace share it.',
    default: 'workflow',
  }),
  key: z
    .string()
    .max(200)
    .optional()
    .meta({ title: 'Key', description: 'The name of the value or list.', examples: ['last-order'] }),
  value: z
    .unknown()
    .optional()
    .meta({
      title: 'Value',
      description: 'What is stored, at most 64 KiB of JSON.',
      'x-editor': 'json',
      ...only('set'),
    }),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...only('add') }),
  items: itemsField().meta({
    title: 'Items',
    description: 'JSONata that returns a list of at most 10,000 items.',
    examples: ['input.orders'],
    ...only('seen'),
  }),
  itemKey: z
    .string()
    .max(10_000)
    .optional()
    .meta({
      title: 'Key of an item',
      description: 'JSONata on item and index. Items with an equal key are the same. Empty: whole items are compared.',
      examples: ['item.id'],
      ...only('seen'),
    }),
  ttlMs: z
    .number()
    .int()
    .min(1000)
    .max(TEN_YEARS_MS)
    .optional()
    .meta({
      title: 'Time to live',
      description:
        'Time until it is forgotten: from set, from the first add, or from when an item was seen. Empty: it is kept. In definitions: milliseconds.',
      'x-editor': 'duration',
      ...only('set', 'add', 'seen'),
    }),
});

type Context = RunContext<z.output<typeof config>>;
/** Adds what an operation needs to the data that it changes. */
type Apply = (data: ChangeData) => Promise<unknown>;

const OPERATIONS = {
  get: (context) => async (data) => data.memory.get(placeOf(context)),
  set: (context) => {
    const { value = null, ttlMs = null } = context.config;
    if (isLarge(value) || Buffer.byteLength(jsonOf(value) ?? 'null') > MAX_REMEMBERED_BYTES)
      throw new NodeFailure('VALUE_TOO_LARGE', 'A remembered value has at most 64 KiB of JSON.', false);
    return async (data) => {
      await data.memory.set(placeOf(context), value, ttlMs);
      return value;
    };
  },
  add: (context) => {
    const { by = 1, ttlMs = null } = context.config;
    return async (data) => data.memory.add(placeOf(context), by, ttlMs);
  },
  seen: async (context) => {
    const { items, itemKey = '', ttlMs = null } = context.config;
    const keyed = await keysOf(itemKey, items, context);
    return async (data) => keyed.pick(await data.memory.see(placeOf(context), keyed.keys, ttlMs));
  },
} satisfies Record<string, (context: Context) => Apply | Promise<Apply>>;

function placeOf({ config: { scope = 'workflow', key = '' } }: Context) {
  return { scope, key };
}

/** Computed before the transaction begins: nothing is locked while expressions are evaluated. */
async function keysOf(itemKey: string, items: unknown, context: Context): Promise<KeyedItems> {
  await context.room();
  try {
    return await keyItems(itemKey, listOf(items), MAX_REMEMBERED_ITEMS, context);
  } catch (error) {
    if (!(error instanceof EvaluationFailed)) throw error;
    const { code, message, field, problem } = error.failure;
    const expression = problem && { field: `config.${field}`, source: problem.source, position: problem.position };
    throw new NodeFailure(code, message, false, 0, { expression });
  }
}

/** The fields that an operation cannot do without. */
const NEEDED: Record<string, string[]> = { set: ['value'], seen: ['items'] };

export const remember = nodeKind({
  type: 'remember',
  title: 'Remember',
  summary: 'Keeps values, counters and lists of seen items between runs.',
  synonyms: [
    'memory',
    'state',
    'store',
    'storage',
    'cache',
    'key value',
    'counter',
    'static data',
    'variable',
    'seen items',
  ],
  category: 'data',
  config,
  required: ['operation', 'key'],
  gaps: (source) =>
    (NEEDED[String(source['operation'])] ?? []).flatMap((field) =>
      source[field] === undefined || source[field] === ''
        ? [{ field, message: `is required to ${source['operation']}` }]
        : [],
    ),
  expressions: ['items'],
  itemExpressions: ['itemKey'],
  literals: ['operation', 'scope', 'itemKey'],
  largeFields: ['value', 'items'],
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  isTransactional: true,
  async run(context): Promise<Outcome> {
    const { operation = 'get', key = '' } = context.config;
    if (key === '' || key.includes('\u0000') || !key.isWellFormed())
      throw new NodeFailure('CONFIG', 'config.key is empty, or has characters that cannot be stored', false);
    return { kind: 'change', apply: await OPERATIONS[operation](context) };
  },
});
