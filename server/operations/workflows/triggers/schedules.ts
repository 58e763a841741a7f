import type { z } from 'zod';
import { Schedule, ScheduleCreate, SchedulePage, ScheduleUpdate } from '@/contract/triggers/schedule';
import type { Schedule as Row } from '@/generated/prisma/client';
import { operation } from '@/server/api/operation';
import { jsonBody } from '@/server/api/operation-parts';
import { invalid, notFound } from '@/server/errors/problem';
import { requireUse } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { storeMissedEvent } from '@/server/engine/queue/missed';
import { cronIssues, nextTimes } from '@/server/workflow/cron';
import { requireQuota } from '@/server/quotas/quota';
import { addJsonColumns } from '../../json-columns';
import { defineWorkflowResource } from '../../workflow-resource';
import { findWorkflow } from '../content';
import { settingsOf } from '../settings';

const SHOWN_TIMES = 5;

const presentSchedule = (row: Row, now = new Date()): z.input<typeof Schedule> => ({
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
  nextRuns: row.enabled ? nextTimes(row.cron, row.timezone, now, SHOWN_TIMES).map((time) => time.toISOString()) : [],
});

type FoundSchedule = Omit<Row, 'input'>;

async function find(db: Db, workspaceId: string, workflowId: string, id: string): Promise<FoundSchedule> {
  const row = await db.schedule.findFirst({
    where: { id, workflowId, workflow: { workspaceId } },
    omit: { input: true },
  });
  if (!row) throw notFound('The schedule');
  return row;
}

function requireTimes(cron: string, timezone: string): void {
  const issues = cronIssues(cron, timezone);
  if (issues.length > 0) throw invalid(issues);
}

const resource = defineWorkflowResource({
  word: 'schedule',
  tag: 'Schedules',
  schema: Schedule,
  page: SchedulePage,
  tableIn: (db) => db.schedule,
  omit: { input: true },
  find,
  async toResponses(db, rows) {
    const stored = { table: 'schedule', columns: { input: 'input' }, key: 'id' };
    const schedules = await addJsonColumns(db, rows, { ...stored, keyOfRow: ({ id }) => id });
    return schedules.map((row) => presentSchedule(row));
  },
  toMetadata: ({ cron }) => ({ cron }),
});

const list = operation(resource.list);
const get = operation(resource.get);
const remove = operation(resource.remove);

const create = operation({
  ...resource.creation,
  summary: 'Run a workflow at fixed times',
  description:
    'Fires while the workflow is active. Ticks missed while the service was down are made up for by one run. Needs ' +
    '`workflow:execute` as well. 403 when the workspace has as many schedules as its tier allows.',
  body: jsonBody(ScheduleCreate),
  async run({ db, caller, note }, { params: { id }, body }) {
    const workflow = await findWorkflow(db, caller.workspaceId, id);
    await requireUse(db, caller, { resource: 'workflow', id });
    const timezone = body.timezone ?? settingsOf(workflow).timeZone ?? 'UTC';
    requireTimes(body.cron, timezone);
    await requireQuota(db, caller, 'schedules');
    const [nextRunAt] = nextTimes(body.cron, timezone, new Date());
    const row = await db.schedule.create({
      data: {
        ...body,
        timezone,
        input: body.input as object,
        id: newId('sch'),
        workflowId: id,
        nextRunAt,
        createdBy: caller.userId,
      },
    });
    note({ resourceId: row.id });
    return presentSchedule(row);
  },
});

/** What is noted of a time that came while the schedule was enabled, but whose run has not begun. */
async function missTime(db: Db, workspaceId: string, { workflowId, nextRunAt }: FoundSchedule) {
  const isActive = await db.workflow.count({ where: { id: workflowId, status: 'active' } });
  if (isActive === 0) return {};
  await storeMissedEvent(db, { workspaceId, workflowId });
  return { lastMissedAt: nextRunAt, lastMissedReason: 'The schedule was changed or disabled before its run began.' };
}

const update = operation({
  ...resource.change,
  description: 'Needs `workflow:execute` as well, unless the schedule is or becomes disabled.',
  body: jsonBody(ScheduleUpdate),
  async run({ db, caller, note }, { params: { id, scheduleId }, body }) {
    note({ resourceId: scheduleId });
    const before = await find(db, caller.workspaceId, id, scheduleId);
    const { cron, timezone, enabled } = { ...before, ...body };
    if (enabled) await requireUse(db, caller, { resource: 'workflow', id });
    requireTimes(cron, timezone);
    const now = new Date();
    const isDue = before.enabled && before.nextRunAt !== null && before.nextRunAt <= now;
    const isAsBefore = enabled && cron === before.cron && timezone === before.timezone;
    // From now on: an enabled schedule does not make up for missed times. One that is due and stays as it is starts its run.
    const [next] = isDue && isAsBefore ? [before.nextRunAt] : nextTimes(cron, timezone, now);
    const missed = isDue && !isAsBefore ? await missTime(db, caller.workspaceId, before) : {};
    const data = { ...body, ...missed, input: body.input as object | undefined, nextRunAt: next, updatedAt: now };
    return presentSchedule(await db.schedule.update({ where: { id: scheduleId }, data }));
  },
});

export const schedules = [list, create, get, update, remove];

export { list as listSchedules, create as createSchedule, update as updateSchedule, remove as deleteSchedule };
