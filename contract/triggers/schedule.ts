import { z } from 'zod';
import { JsonObject, Timestamp, page, text, asStored } from '../text';

/** What happens when the schedule is due while its earlier run is still in progress. */
export const Overlap = z.enum(['skip', 'allow']).meta({ id: 'Overlap' });
export type Overlap = z.infer<typeof Overlap>;

const cron = text(1, 200).meta({
  description: 'Minute, hour, day of month, month, day of week',
  example: '0 6 * * 1-5',
});
const timezone = text(1, 100).meta({ description: 'IANA name', example: 'Europe/Berlin' });

export const ScheduleCreate = z.strictObject({
  cron,
  timezone: timezone.optional().meta({
    description: 'IANA name; absent: `settings.timeZone` of the workflow, else UTC',
    example: 'Europe/Berlin',
  }),
  input: JsonObject.default({}),
  enabled: z.boolean().default(true),
  overlap: Overlap.default('skip'),
});

export const ScheduleUpdate = z.strictObject({
  cron: cron.optional(),
  timezone: timezone.optional(),
  input: JsonObject.optional(),
  enabled: z.boolean().optional(),
  overlap: Overlap.optional(),
});

export const Schedule = z
  .object({
    id: z.string(),
    workflowId: z.string(),
    cron: z.string(),
    timezone: z.string(),
    input: asStored(JsonObject),
    enabled: z.boolean(),
    overlap: Overlap,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    createdBy: z.string().nullable(),
    lastRunAt: Timestamp.nullable(),
    lastExecutionId: z.string().nullable(),
    lastError: z.string().nullable().meta({ description: 'Why the last scheduled run did not start' }),
    lastMissedAt: Timestamp.nullable().meta({
      description: 'The last time that passed without its run while the workflow was active',
    }),
    lastMissedReason: z.string().nullable(),
    nextRunAt: Timestamp.nullable().meta({ description: 'Null when it is disabled' }),
    nextRuns: z.array(Timestamp).meta({ description: 'The next five times, if it is enabled' }),
  })
  .meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

export const SchedulePage = page(Schedule).meta({ id: 'SchedulePage' });
