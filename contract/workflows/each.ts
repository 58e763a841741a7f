import { z } from 'zod';

/**
 * What becomes of an item at which a node fails: the node fails, the error stands in place of an output, or the item is
 * left out.
 */
const EACH_ERROR_MODES = ['fail', 'continue', 'drop'] as const;
/** What a node without items does: its branch ends, or it delivers the empty list. */
const EACH_EMPTY_MODES = ['end', 'pass'] as const;
/** The maximum number of items that a node works on at a time. */
const MAX_EACH_CONCURRENCY = 100;

/**
 * A node that runs once for each item of a list. Its expressions see `item`, `index`, `items`, `paired` and, as
 * `input`, the item.
 */
export const NodeEach = z
  .strictObject({
    items: z
      .string()
      .max(10_000)
      .optional()
      .meta({
        description:
          'Expression that gives the list. Absent: what comes in; the lists of several connections one after the other, in the ' +
          'order of the connections. A value that is no list is a list of one; null or nothing is the empty list.',
        example: 'nodes.orders.lines',
      }),
    concurrency: z.number().int().min(1).max(MAX_EACH_CONCURRENCY).optional().meta({
      description: 'The maximum number of items at a time. Absent: 1; for approvals 100',
    }),
    onError: z.enum(EACH_ERROR_MODES).optional().meta({
      description:
        '`fail` (default): the node fails. `continue`: `{error}` stands in the place of the output of the item. `drop`: the item is left out.',
    }),
    onEmpty: z.enum(EACH_EMPTY_MODES).optional().meta({
      description:
        'Without items the node completes with the empty list. `end` (default): no port delivers, so that the branch ends. `pass`: the empty list is delivered.',
    }),
    flatten: z.boolean().optional().meta({
      description: 'True: an output that is a list counts as its elements',
    }),
  })
  .meta({ id: 'Each', description: 'Runs the node once for each item of a list' });
export type NodeEach = z.infer<typeof NodeEach>;
