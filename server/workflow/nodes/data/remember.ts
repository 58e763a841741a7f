import { z } from 'zod';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { EvaluationFailedError } from '@/server/evaluation/evaluator/evaluation';
import { computeItemKeys, type KeyedItems } from '@/server/evaluation/evaluator/list-items';
import { createExpressionFailure } from '@/server/evaluation/evaluator/expression-failure';
import { isLargeJson, serializeJson } from '@/server/evaluation/expressions/large-json';
import { expressionField, scopedExpressionField, literalField, largeValueField, requiredField } from '../field-traits';
import { itemExpression, toItemList } from '../list/list-node';
import { defineNodeType, type ChangeTransaction, type NodeRunResult, type NodeRunContext } from '../node-type';

export const MAX_REMEMBERED_BYTES = 64 * 1024;
export const MAX_REMEMBERED_ITEMS = 10_000;
const MAX_REMEMBER_TTL_MS = 10 * 365 * 86_400_000;

/** The field matters for these operations only. */
const onlyForRemember = (...operations: string[]) => ({ 'x-when': { operation: operations } });

const rememberConfig = z.strictObject({
  operation: z
    .enum(['get', 'set', 'add', 'seen'])
    .optional()
    .apply(literalField)
    .apply(requiredField)
    .meta({
      title: 'Operation',
      'x-labels': {
        get: 'Read a value',
        set: 'Store a value',
        add: 'Add to a number',
        seen: 'Pass on items that are new',
      },
      apiDescription:
        'get: the value, or null. set: stores a value. add: adds to a number and returns the new one. seen: passes on the items that were not seen before.',
    }),
  scope: z
    .enum(['workflow', 'workspace'])
    .optional()
    .apply(literalField)
    .meta({
      title: 'Scope',
      apiDescription: 'Whether only this workflow remembers it, or all workflows of the workspace share it.',
      'x-labels': { workflow: 'This workflow', workspace: 'All workflows of the workspace' },
      default: 'workflow',
    }),
  key: z
    .string()
    .max(200)
    .optional()
    .apply(requiredField)
    .meta({ title: 'Key', description: 'The name of the value or list.', examples: ['last-order'] }),
  value: z
    .unknown()
    .optional()
    .apply(largeValueField)
    .meta({
      title: 'Value',
      description: 'What is stored, at most 64 KiB of JSON.',
      'x-editor': 'json',
      ...onlyForRemember('set'),
    }),
  by: z
    .number()
    .optional()
    .meta({ title: 'By', description: 'The number that is added.', default: 1, ...onlyForRemember('add') }),
  items: z
    .unknown()
    .optional()
    .apply(expressionField)
    .apply(largeValueField)
    .meta({
      title: 'Items',
      description: 'An expression that returns a list of at most 10,000 items.',
      examples: ['input.orders'],
      'x-editor': 'list',
      ...onlyForRemember('seen'),
    }),
  itemKey: z
    .string()
    .max(10_000)
    .optional()
    .apply(scopedExpressionField, ['item', 'index'])
    .meta({
      title: 'Key of an item',
      description:
        'An expression on item and index. Items with an equal key are the same. Empty: whole items are compared.',
      examples: ['item.id'],
      ...onlyForRemember('seen'),
    }),
  ttlMs: z
    .number()
    .int()
    .min(1000)
    .max(MAX_REMEMBER_TTL_MS)
    .optional()
    .meta({
      title: 'Time to live',
      description:
        'Time until it is forgotten: from set, from the first add, or from when an item was seen. Empty: it is kept.',
      'x-editor': 'duration',
      ...onlyForRemember('set', 'add', 'seen'),
    }),
});

type RememberContext = NodeRunContext<z.output<typeof rememberConfig>>;
/** Adds what an operation needs to the data that it changes. */
type ApplyRemember = (data: ChangeTransaction) => Promise<unknown>;

const REMEMBER_OPERATIONS = {
  get: (context) => async (data) => data.memory.get(scopedMemoryKey(context)),
  set: (context) => {
    const { value = null, ttlMs = null } = context.config;
    if (isLargeJson(value) || Buffer.byteLength(serializeJson(value) ?? 'null') > MAX_REMEMBERED_BYTES)
      throw new NodeFailure('VALUE_TOO_LARGE', 'A remembered value has at most 64 KiB of JSON.', false);
    return async (data) => {
      await data.memory.set(scopedMemoryKey(context), value, ttlMs);
      return value;
    };
  },
  add: (context) => {
    const { by = 1, ttlMs = null } = context.config;
    return async (data) => data.memory.add(scopedMemoryKey(context), by, ttlMs);
  },
  seen: async (context) => {
    const { items, itemKey = '', ttlMs = null } = context.config;
    const keyed = await computeSeenKeys(itemKey, items, context);
    return async (data) => keyed.pick(await data.memory.see(scopedMemoryKey(context), keyed.keys, ttlMs));
  },
} satisfies Record<string, (context: RememberContext) => ApplyRemember | Promise<ApplyRemember>>;

function scopedMemoryKey({ config: { scope = 'workflow', key = '' } }: RememberContext) {
  return { scope, key };
}

/** Computed before the transaction begins: nothing is locked while expressions are evaluated. */
async function computeSeenKeys(itemKey: string, items: unknown, context: RememberContext): Promise<KeyedItems> {
  await context.waitForSlot();
  try {
    return await computeItemKeys(itemExpression(itemKey, context), toItemList(items), MAX_REMEMBERED_ITEMS, context);
  } catch (error) {
    throw error instanceof EvaluationFailedError ? createExpressionFailure(error) : error;
  }
}

/** The fields that an operation cannot do without. */
const REQUIRED_REMEMBER_FIELDS: Record<string, string[]> = { set: ['value'], seen: ['items'] };

export const rememberNodeType = defineNodeType({
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
  config: rememberConfig,
  gaps: (source) =>
    (REQUIRED_REMEMBER_FIELDS[String(source['operation'])] ?? []).flatMap((field) =>
      source[field] === undefined || source[field] === ''
        ? [{ field, message: `is required to ${source['operation']}` }]
        : [],
    ),
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: true,
  isTransactional: true,
  async run(context): Promise<NodeRunResult> {
    const { operation = 'get', key = '' } = context.config;
    if (key === '' || key.includes('\u0000') || !key.isWellFormed())
      throw new NodeFailure('CONFIG', 'config.key is empty, or has characters that cannot be stored', false);
    return { kind: 'change', apply: await REMEMBER_OPERATIONS[operation](context) };
  },
});
