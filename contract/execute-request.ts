import { z } from 'zod';
import { JsonObject, text } from './text';
import { MAX_PINS } from './workflows/pin';

/** Of runs and of repetitions. */
export const usePins = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Nodes whose outputs are pinned to the workflow do not run, as in runs from the editor. Needs `workflow:update` and ' +
      '`useLatest`. The node at which the run begins or ends runs',
  });

export const ExecuteRequest = z.strictObject({
  input: JsonObject.default({}).describe('What the run is given; the start node checks it'),
  pins: z
    .record(text(1, 300), z.unknown())
    .refine((pins) => Object.keys(pins).length <= MAX_PINS, { error: `must name at most ${MAX_PINS} nodes` })
    .optional()
    .meta({
      description:
        'Outputs of nodes by their ids: these nodes do not run. Needs `workflow:update`. Not for nodes inside loops, the ' +
        'start node, and approvals',
    }),
  usePins,
  untilNodeId: text(1, 300)
    .optional()
    .meta({
      description:
        'Runs only this node and its upstream nodes. No other node is part of the run: neither of its node results nor of ' +
        'the readiness check. A node inside a loop can’t be named, because it runs with its loop.',
    }),
  useLatest: z.boolean().default(false).meta({
    description: 'Runs the last saved version, published or not',
  }),
});
