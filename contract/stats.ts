import { z } from 'zod';
import { Trigger } from './execution';
import { Timestamp, text } from './text';

export const STATS_BUCKETS = ['minute', 'hour', 'day'] as const;

/** Buckets that one answer has at most. */
export const MAX_BUCKETS = 750;

const RUN_FILTERS = {
  workflowId: text(1, 100).optional().meta({ description: 'Only runs of this workflow' }),
  trigger: Trigger.optional().describe('Only runs that this started'),
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
    buckets: z
      .array(
        z.object({
          at: Timestamp.meta({ description: 'Begin of the bucket' }),
          completed: count.describe('The number of completed runs'),
          failed: count.meta({ description: 'Without cancelled runs' }),
          cancelled: count.describe('The number of cancelled runs'),
          p50Ms: duration,
          p95Ms: duration,
        }),
      )
      .describe('Numbers by hour or day'),
    workflows: z
      .array(
        z.object({
          workflowId: z.string().describe('Whose runs are counted'),
          name: z.string().describe('What people call the workflow'),
          completed: count.describe('The number of completed runs'),
          failed: count.meta({ description: 'Without cancelled runs' }),
          p50Ms: duration,
          p95Ms: duration,
        }),
      )
      .describe('Numbers for each workflow'),
  })
  .meta({ id: 'Stats', description: 'Numbers of ended runs over time and by workflow' });
export type Stats = z.infer<typeof Stats>;
