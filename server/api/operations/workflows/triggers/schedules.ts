import type { z } from 'zod';
import {
  ScheduleTrigger,
  CreateScheduleRequest,
  ListSchedulesResponse,
  UpdateScheduleRequest,
} from '@/contract/triggers/schedule';
import type { Schedule as Row } from '@/generated/prisma/client';
import { defineOperation } from '@/server/api/operation/operation';
import { jsonBody } from '@/server/api/operation/operation-parts';
import { invalidRequestProblem, notFoundProblem } from '@/server/platform/errors/problem';
import { requireReferenceUse } from '@/server/people/access/references';
import type { DatabaseClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { storeScheduleMissedEvent } from '@/server/triggers/missed-events';
import { cronIssues, nextCronTimes } from '@/server/workflow/definition/cron';
import { requireObjectQuota } from '@/server/platform/quotas/quota';
import { addJsonColumns } from '../../json-columns';
import { defineWorkflowResource } from '../../workflow-resource';
import { findWorkflow } from '../workflow-rows';
import { toWorkflowSettings } from '../settings';

const NEXT_RUN_COUNT = 5;

const toScheduleResponse = (row: Row, now = new Date()): z.input<typeof ScheduleTrigger> => ({
  id: row.id,
  workflowId: row.workflowId,
  cron: row.cron,
  timezone: row.timezone,
  input: row.input as Record<string, unknown>,
  enabled: row.enabled,
  overlap: row.overlap as 'skip',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  createdBy: row.createdBy,
  lastRunAt: row.lastRunAt?.toISOString() ?? null,
  lastExecutionId: row.lastExecutionId,
  lastError: row.lastError,
  lastMissedAt: row.lastMissedAt?.toISOString() ?? null,
  lastMissedReason: row.lastMissedReason,
  nextRunAt: row.enabled ? (row.nextRunAt?.toISOString() ?? null) : null,
  nextRuns: row.enabled
    ? nextCronTimes(row.cron, row.timezone, now, NEXT_RUN_COUNT).map((time) => time.toISOString())
    : [],
});

type FoundSchedule = Omit<Row, 'input'>;

async function findScheduleRow(
  db: DatabaseClient,
  workspaceId: string,
  workflowId: string,
  id: string,
): Promise<FoundSchedule> {
  const row = await db.schedule.findFirst({
    where: { id, workflowId, workflow: { workspaceId } },
    omit: { input: true },
  });
  if (!row) throw notFoundProblem('The schedule');
  return row;
}

function requireValidCron(cron: string, timezone: string): void {
  const issues = cronIssues(cron, timezone);
  if (issues.length > 0) throw invalidRequestProblem(issues);
}

const resource = defineWorkflowResource({
  word: 'schedule',
  tag: 'Schedules',
  schema: ScheduleTrigger,
  page: ListSchedulesResponse,
  tableIn: (db) => db.schedule,
  omit: { input: true },
  find: findScheduleRow,
  async toResponses(db, rows) {
    const stored = { table: 'schedule', columns: { input: 'input' }, key: 'id' };
    const schedules = await addJsonColumns(db, rows, { ...stored, keyOfRow: ({ id }) => id });
    return schedules.map((row) => toScheduleResponse(row));
  },
  toMetadata: ({ cron }) => ({ cron }),
});

const listSchedulesOperation = defineOperation(resource.list);
const getScheduleOperation = defineOperation(resource.get);
const deleteScheduleOperation = defineOperation(resource.remove);

const createScheduleOperation = defineOperation({
  ...resource.creation,
  summary: 'Run a workflow at fixed times',
  description:
    'Fires while the workflow is active. Ticks missed while the service was down are made up for by one run. Needs ' +
    '`workflow:execute` as well. 403 when the workspace has as many schedules as its tier allows.',
  body: jsonBody(CreateScheduleRequest),
  async run({ db, caller, note }, { params: { id }, body }) {
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    await requireReferenceUse(db, caller, { resource: 'workflow', id });
    const timezone = body.timezone ?? toWorkflowSettings(workflow).timeZone ?? 'UTC';
    requireValidCron(body.cron, timezone);
    await requireObjectQuota(db, caller, 'schedules');
    const [nextRunAt] = nextCronTimes(body.cron, timezone, new Date());
    const row = await db.schedule.create({
      data: {
        ...body,
        timezone,
        input: body.input as object,
        id: generateId('sch'),
        workflowId: id,
        nextRunAt,
        createdBy: caller.userId,
      },
    });
    note({ resourceId: row.id });
    return toScheduleResponse(row);
  },
});

/** What is noted of a time that came while the schedule was enabled, but whose run has not begun. */
async function missTime(db: DatabaseClient, workspaceId: string, { workflowId, nextRunAt }: FoundSchedule) {
  const isActive = await db.workflow.count({ where: { id: workflowId, status: 'active' } });
  if (isActive === 0) return {};
  await storeScheduleMissedEvent(db, { workspaceId, workflowId });
  return { lastMissedAt: nextRunAt, lastMissedReason: 'The schedule was changed or disabled before its run began.' };
}

const updateScheduleOperation = defineOperation({
  ...resource.change,
  description: 'Needs `workflow:execute` as well, unless the schedule is or becomes disabled.',
  body: jsonBody(UpdateScheduleRequest),
  async run({ db, caller, note }, { params: { id, scheduleId }, body }) {
    note({ resourceId: scheduleId });
    const before = await findScheduleRow(db, caller.workspaceId, id, scheduleId);
    const { cron, timezone, enabled } = { ...before, ...body };
    if (enabled) await requireReferenceUse(db, caller, { resource: 'workflow', id });
    requireValidCron(cron, timezone);
    const now = new Date();
    const isDue = before.enabled && before.nextRunAt !== null && before.nextRunAt <= now;
    const isAsBefore = enabled && cron === before.cron && timezone === before.timezone;
    // The next time is counted from now, because an enabled schedule does not make up for missed times. One that is due
    // and stays as it is starts its run.
    const [next] = isDue && isAsBefore ? [before.nextRunAt] : nextCronTimes(cron, timezone, now);
    const missed = isDue && !isAsBefore ? await missTime(db, caller.workspaceId, before) : {};
    const data = { ...body, ...missed, input: body.input as object | undefined, nextRunAt: next, updatedAt: now };
    return toScheduleResponse(await db.schedule.update({ where: { id: scheduleId }, data }));
  },
});

export const scheduleOperations = [
  listSchedulesOperation,
  createScheduleOperation,
  getScheduleOperation,
  updateScheduleOperation,
  deleteScheduleOperation,
];

export { listSchedulesOperation, createScheduleOperation, updateScheduleOperation, deleteScheduleOperation };
