import { z } from 'zod';
import { JsonObject, Timestamp, page, text } from './text';

/** Minute, hour, day of month, month, day of week. Whether it ever fires is checked by the server. */
export const Cron = text(1, 200);

/** What happens when a tick comes while an earlier run of the schedule is still under way. */
export const Overlap = z.enum(['skip', 'allow']);

export const ScheduleFields = z.strictObject({
  cron: Cron,
  timezone: text(1, 100).meta({ description: 'IANA name, e.g. Europe/Berlin' }),
  input: JsonObject,
  enabled: z.boolean(),
  overlap: Overlap,
});

export const Schedule = ScheduleFields.extend({
  id: z.string(),
  workflowId: z.string(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  createdBy: z.string().nullable(),
  lastRunAt: Timestamp.nullable(),
  nextRunAt: Timestamp.nullable().meta({ description: 'Null when it is disabled' }),
  nextRuns: z.array(Timestamp).meta({ description: 'The next five' }),
}).meta({ id: 'Schedule' });
export type Schedule = z.infer<typeof Schedule>;

export const SchedulePage = page(Schedule).meta({ id: 'SchedulePage' });
