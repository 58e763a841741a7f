import { z } from 'zod';
import { JsonObject, boundedText } from './text';
import { MAX_PINNED_NODES } from './workflows/pin';

/** The requests that start a run and that repeat one share this field. */
export const usePinsField = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Nodes whose outputs are pinned to the workflow do not run, as in runs from the editor. Needs `workflow:update` and ' +
      '`useLatest`. The node at which the run begins or ends runs',
  });

export const ExecuteWorkflowRequest = z.strictObject({
  input: JsonObject.default({}).describe('What the run is given; the start node checks it'),
  pins: z
    .record(boundedText(1, 300), z.unknown())
    .refine((pins) => Object.keys(pins).length <= MAX_PINNED_NODES, {
      error: `must name at most ${MAX_PINNED_NODES} nodes`,
    })
    .optional()
    .meta({
      description:
        'Outputs of nodes by their ids: these nodes do not run. Needs `workflow:update`. Not for nodes inside loops, the ' +
        'start node, and approvals',
    }),
  usePins: usePinsField,
  untilNodeId: boundedText(1, 300)
    .optional()
    .meta({
      description:
        'Runs only this node and its upstream nodes. No other node is part of the run: neither of its node results nor of ' +
        'the readiness check. A node inside a loop can’t be named, because it runs with its loop.',
    }),
  startNodeId: boundedText(1, 100)
    .nullable()
    .optional()
    .meta({
      description:
        'The start node at which the run begins: only that node and its downstream nodes belong to the run, the others are ' +
        'skipped, and its `inputSchema` alone counts. Absent or null: at every start node',
      example: null,
    }),
  useLatest: z.boolean().default(false).meta({
    description: 'Runs the last saved version, published or not',
  }),
});
