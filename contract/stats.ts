import { z } from 'zod';
import { TriggerType } from './execution';
import { Timestamp, boundedText } from './text';

export const STATS_BUCKETS = ['minute', 'hour', 'day'] as const;

/** A response has at most this many buckets. */
export const MAX_STATS_BUCKETS = 750;

const runFilterFields = {
  workflowId: boundedText(1, 100).optional().meta({ description: 'Only runs of this workflow' }),
  trigger: TriggerType.optional().describe('Only runs that this started'),
  partial: z.enum(['true', 'false']).optional().meta({
    description:
      'Whether to count runs that end at one node, such as tests from the editor, or only runs of whole workflows',
  }),
  search: boundedText(0, 200).optional().meta({ description: 'Part of the current workflow name, case-insensitive' }),
};

export const ExecutionStatsQuery = z.strictObject({
  from: Timestamp.optional().meta({
    description: 'Default: an hour before `to` for minutes, a day for hours, 30 days for days',
  }),
  to: Timestamp.optional().meta({ description: 'Not included. Default: now' }),
  bucket: z.enum(STATS_BUCKETS).default('day').meta({ description: 'In UTC' }),
  ...runFilterFields,
});

const runCount = z.number().int();
const runDurationMs = z
  .number()
  .nullable()
  .meta({ description: 'Of completed runs, in milliseconds; null: none', example: 840 });

export const ExecutionStats = z
  .object({
    buckets: z
      .array(
        z.object({
          at: Timestamp.meta({ description: 'Begin of the bucket' }),
          completed: runCount.describe('The number of completed runs'),
          failed: runCount.meta({ description: 'Without cancelled runs' }),
          cancelled: runCount.describe('The number of cancelled runs'),
          p50Ms: runDurationMs,
          p95Ms: runDurationMs,
        }),
      )
      .describe('Numbers by hour or day'),
    workflows: z
      .array(
        z.object({
          workflowId: z.string().describe('Whose runs are counted'),
          name: z.string().describe('What people call the workflow'),
          completed: runCount.describe('The number of completed runs'),
          failed: runCount.meta({ description: 'Without cancelled runs' }),
          p50Ms: runDurationMs,
          p95Ms: runDurationMs,
        }),
      )
      .describe('Numbers for each workflow'),
  })
  .meta({ id: 'Stats', description: 'Numbers of ended runs over time and by workflow' });
export type ExecutionStats = z.infer<typeof ExecutionStats>;
