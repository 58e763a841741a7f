import { z } from 'zod';
import {
  CreatedAt,
  CreatedBy,
  ObjectId,
  optionalStartNodeId,
  StartNodeId,
  UpdatedAt,
  WorkflowId,
} from '../shared-fields';
import { JsonObject, Timestamp, pageSchema, boundedText, asStored } from '../text';

/** What happens when the schedule is due while its earlier run is still in progress. */
export const ScheduleOverlapMode = z
  .enum(['skip', 'allow'])
  .meta({ id: 'Overlap', description: 'Whether a scheduled run starts while the one before is still in progress' });
export type ScheduleOverlapMode = z.infer<typeof ScheduleOverlapMode>;

const scheduleCron = boundedText(1, 200).meta({
  description: 'Minute, hour, day of month, month, day of week',
  example: '0 6 * * 1-5',
});
const scheduleTimezone = boundedText(1, 100).meta({ description: 'IANA name', example: 'Europe/Berlin' });

export const CreateScheduleRequest = z.strictObject({
  cron: scheduleCron,
  timezone: scheduleTimezone.optional().meta({
    description: 'IANA name; absent: `settings.timeZone` of the workflow, else UTC',
    example: 'Europe/Berlin',
  }),
  input: JsonObject.default({}).describe('What the run is given; the start node checks it'),
  enabled: z.boolean().default(true).describe('False: it is switched off'),
  overlap: ScheduleOverlapMode.default('skip').describe(
    'Whether a run starts while the one before is still in progress',
  ),
  startNodeId: optionalStartNodeId,
});

export const UpdateScheduleRequest = z.strictObject({
  cron: scheduleCron.optional(),
  timezone: scheduleTimezone.optional(),
  input: JsonObject.optional().describe('What the run is given; the start node checks it'),
  enabled: z.boolean().optional().describe('False: it is switched off'),
  overlap: ScheduleOverlapMode.optional(),
  startNodeId: optionalStartNodeId,
});

export const ScheduleTrigger = z
  .object({
    id: ObjectId,
    workflowId: WorkflowId,
    cron: z.string().describe('A cron expression of five fields'),
    timezone: z.string().describe('The IANA name of the time zone'),
    input: asStored(JsonObject.describe('What its runs are given')),
    enabled: z.boolean().describe('False: it is switched off'),
    overlap: ScheduleOverlapMode,
    startNodeId: StartNodeId,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    createdBy: CreatedBy,
    lastRunAt: Timestamp.nullable().describe('When it started a run last; null: never'),
    lastExecutionId: z.string().nullable().describe('The run that it started last; null: none'),
    lastError: z.string().nullable().meta({ description: 'Why the last scheduled run did not start' }),
    lastMissedAt: Timestamp.nullable().meta({
      description: 'The last time that passed without its run while the workflow was active',
    }),
    lastMissedReason: z.string().nullable().describe('Why a run was missed last; null: none was'),
    nextRunAt: Timestamp.nullable().meta({ description: 'Null when it is disabled' }),
    nextRuns: z.array(Timestamp).meta({ description: 'The next five times, if it is enabled' }),
  })
  .meta({ id: 'Schedule', description: 'Runs at fixed times' });
export type ScheduleTrigger = z.infer<typeof ScheduleTrigger>;

export const ListSchedulesResponse = pageSchema(ScheduleTrigger).meta({ id: 'SchedulePage' });
