import { z } from 'zod';
import { JsonObject } from '@/contract/text';
import { isLargeJson, type LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { toItemList } from '../list/list-node';
import { defineNodeType } from '../node-type';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { expressionField, innerDefinitionField, largeValueField, requiredField } from '../field-traits';

export const MAX_LOOP_ITEMS = 100_000;

export function listLoopItems(items: unknown): unknown[] | LargeJsonText {
  const list = toItemList(items);
  const length = isLargeJson(list) ? (list.facts?.length ?? 0) : list.length;
  if (length <= MAX_LOOP_ITEMS) return list;
  throw new NodeFailure('TOO_MANY_ITEMS', `A loop has at most ${MAX_LOOP_ITEMS} rounds.`, false);
}

export const forEachNodeType = defineNodeType({
  type: 'for_each',
  title: 'For each',
  summary: 'Runs an inner workflow for each item of a list, and collects the results in order.',
  synonyms: [
    'loop',
    'loop over items',
    'for loop',
    'each',
    'iterate',
    'iterator',
    'repeat',
    'split in batches',
    'split out',
    'batch',
    'map',
    'items',
  ],
  category: 'logic',
  config: z.strictObject({
    items: z
      .unknown()
      .optional()
      .apply(expressionField, { pathMustExist: true })
      .apply(largeValueField)
      .meta({
        title: 'Items',
        description:
          'An expression that returns a list. A single value counts as a list of one; null, or a filter without a match, as the empty list. A path that does not exist fails.',
        examples: ['input.lines'],
        'x-editor': 'list',
      }),
    concurrency: z.number().int().min(1).max(100).optional().meta({
      title: 'At a time',
      description: 'Maximum number of concurrent rounds.',
      default: 1,
    }),
    body: JsonObject.optional().apply(innerDefinitionField).apply(requiredField).meta({
      title: 'Body',
      description: 'Nodes and connections of a round. Its start gets {item, index}.',
      'x-editor': 'definition',
    }),
  }),
  gaps: ({ items }) => (items ? [] : [{ field: 'items', message: 'is required' }]),
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  timesItself: true,
  run: async ({ config: { items, concurrency = 1 } }) => ({ kind: 'rounds', items: listLoopItems(items), concurrency }),
});
