import { z } from 'zod';
import { Trigger } from './execution';
import { Timestamp, text } from './text';

export const STATS_BUCKETS = ['minute', 'hour', 'day'] as const;

/** Buckets that one answer has at most. */
export const MAX_BUCKETS = 750;

const RUN_FILTERS = {
  workflowId: text(1, 100).optional().meta({ description: 'Only runs of this workflow' }),
  trigger: Trigger.optional(),
  partial: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether to count runs that end at one node, such as tests from the editor, or only runs of whole workflows',
  }),
  search: text(0, 200).optional().meta({ description: 'Part of the current workflow name, case-insensitive' }),
};

export const StatsQuery = z.strictObject({
  from: Timestamp.optional().meta({
    description: 'Default: an hour before `to` for minutes, a day for hours, 30 days for days',
  }),
  to: Timestamp.optional().meta({ description: 'Not included. Default: now' }),
  bucket: z.enum(STATS_BUCKETS).default('day').meta({ description: 'In UTC' }),
  ...RUN_FILTERS,
});

const count = z.number().int();
const duration = z
  .number()
  .nullable()
  .meta({ description: 'Of completed runs, in milliseconds; null: none', example: 840 });

export const Stats = z
  .object({
    buckets: z.array(
      z.object({
        at: Timestamp.meta({ description: 'Begin of the bucket' }),
        completed: count,
        failed: count.meta({ description: 'Without cancelled runs' }),
        cancelled: count,
        p50Ms: duration,
        p95Ms: duration,
      }),
    ),
    workflows: z.array(
      z.object({
        workflowId: z.string(),
        name: z.string(),
        completed: count,
        failed: count.meta({ description: 'Without cancelled runs' }),
        p50Ms: duration,
        p95Ms: duration,
      }),
    ),
  })
  .meta({ id: 'Stats' });
export type Stats = z.infer<typeof Stats>;
