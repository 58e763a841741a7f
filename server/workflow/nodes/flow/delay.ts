import { z } from 'zod';
import { completeNode, defineNodeType } from '../node-type';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { expressionField } from '../field-traits';

const MAX_DELAY_NODE_MS = 365 * 86_400_000;

/** Epoch milliseconds of a timestamp or number from an expression. */
function parseDelayEnd(value: unknown): number {
  const moment = typeof value === 'string' ? Date.parse(value) : Number(value);
  if (Number.isFinite(moment)) return moment;
  throw new NodeFailure('CONFIG', 'config.until is not a timestamp', false);
}

export const delayNodeType = defineNodeType({
  type: 'delay',
  title: 'Delay',
  summary: 'Waits for a duration or until a time, without using resources.',
  synonyms: ['wait', 'sleep', 'pause', 'timer', 'wait until', 'timeout'],
  category: 'logic',
  config: z
    .strictObject({
      durationMs: z.number().int().min(0).max(MAX_DELAY_NODE_MS).optional().meta({
        title: 'Duration',
        description: 'At most a year.',
        'x-editor': 'duration',
      }),
      until: z
        .unknown()
        .optional()
        .apply(expressionField)
        .meta({
          title: 'Until',
          description: 'A timestamp (ISO 8601), or an expression that gives one.',
          examples: ['2030-01-31T08:00:00Z', '$fromMillis($toMillis(input.dueAt) - 3600000)'],
        }),
    })
    .refine(({ durationMs, until }) => durationMs === undefined || until === undefined, {
      error: 'takes either durationMs or until, not both',
      path: ['until'],
    }),
  gaps: ({ durationMs, until }) =>
    durationMs !== undefined || until ? [] : [{ field: 'durationMs', message: 'durationMs or until is required' }],
  hasInput: true,
  outputs: ['output'],
  credentialTypes: [],
  isOutside: false,
  inTests: 'pass',
  mayWait: true,
  async run({ config: { durationMs, until }, input, waitingSince }) {
    const now = Date.now();
    // `until` may be relative to the current time, so it is computed once.
    if (until !== undefined && waitingSince) return completeNode(input);
    if (durationMs === undefined && until === undefined) {
      throw new NodeFailure('CONFIG', 'config.durationMs or config.until has no value', false);
    }
    const end = durationMs === undefined ? parseDelayEnd(until) : (waitingSince?.getTime() ?? now) + durationMs;
    if (end - now > MAX_DELAY_NODE_MS) throw new NodeFailure('CONFIG', 'A delay lasts a year at most', false);
    return end <= now ? completeNode(input) : { kind: 'wait', until: new Date(end), forDecision: false };
  },
});
