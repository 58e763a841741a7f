import { z } from 'zod';
import { JsonObject } from '@/contract/text';
import { NodeFailure, nodeKind } from './node';

const MAX_ITEMS = 100_000;

/** JSONata gives one match as itself and no match as nothing. */
function listed(items: unknown): unknown[] {
  if (items === undefined || items === null) return [];
  const list = Array.isArray(items) ? (items as unknown[]) : [items];
  if (list.length > MAX_ITEMS)
    throw new NodeFailure('TOO_MANY_ITEMS', `A loop has at most ${MAX_ITEMS} rounds.`, false);
  return list;
}

export const forEach = nodeKind({
  type: 'for_each',
  title: 'For each',
  summary: 'Runs a workflow of its own for each item of a list, and collects what they come to, in order.',
  category: 'logic',
  config: z.strictObject({
    items: z
      .unknown()
      .optional()
      .meta({
        title: 'Items',
        description: 'JSONata that gives a list. A single value is a list of one, nothing is the empty list.',
        examples: ['input.lines'],
      }),
    concurrency: z.number().int().min(1).max(100).optional().meta({
      title: 'At a time',
      description: 'Rounds that are under way at a time.',
      default: 1,
    }),
    body: JsonObject.optional().meta({
      title: 'Body',
      description: 'Nodes and connections of a round. Its start gets {item, index}.',
      'x-editor': 'definition',
    }),
  }),
  required: ['body'],
  gaps: ({ items }) => (items ? [] : [{ field: 'items', message: 'is required' }]),
  expressions: ['items'],
  literals: ['body'],
  inner: 'body',
  hasInput: true,
  seesInput: false,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  timesItself: true,
  run: async ({ config: { items, concurrency = 1 } }) => ({ kind: 'rounds', items: listed(items), concurrency }),
});
