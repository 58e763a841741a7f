import { z } from 'zod';
import { Schedule, ScheduleCreate, SchedulePage, ScheduleUpdate } from '@/contract/triggers/schedule';
import { PageQuery } from '@/contract/text';
import type { Schedule as Row } from '@/generated/prisma/client';
import { memberAccess, operation } from '@/server/api/operation';
import { jsonBody, jsonReply, readEffect, writeEffect } from '@/server/api/operation-parts';
import { invalid, notFound } from '@/server/errors/problem';
import { requireUse } from '@/server/access/references';
import type { Db } from '@/server/db/client';
import { newId } from '@/server/db/ids';
import { cronIssues, nextTimes } from '@/server/workflow/cron';
import { requireQuota } from '@/server/quotas/quota';
import { findWorkflow } from '../content';
import { settingsOf } from '../settings';

const OfWorkflow = z.strictObject({ id: z.string() });
const One = z.strictObject({ id: z.string(), scheduleId: z.string() });
const SHOWN_TIMES = 5;
const tag = 'Schedules';

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

async function requireWorkflow(db: Db, workspaceId: string, id: string): Promise<void> {
  if (!(await db.workflow.findFirst({ where: { id, workspaceId }, select: { id: true } }))) {
    throw notFound('The workflow');
  }
}

async function find(db: Db, workspaceId: string, workflowId: string, id: string): Promise<Row> {
  const row = await db.schedule.findFirst({ where: { id, workflowId, workflow: { workspaceId } } });
  if (!row) throw notFound('The schedule');
  return row;
}

function requireTimes(cron: string, timezone: string): void {
  const issues = cronIssues(cron, timezone);
  if (issues.length > 0) throw invalid(issues);
}

const list = operation({
  id: 'schedules.list',
  method: 'GET',
  path: '/api/workflows/{id}/schedules',
  summary: 'List the schedules of a workflow',
  tag,
  access: memberAccess('schedule', 'read'),
  effect: readEffect(),
  params: OfWorkflow,
  query: PageQuery,
  reply: jsonReply(SchedulePage),
  async run({ db, caller }, { params: { id }, query: { limit, offset } }) {
    await requireWorkflow(db, caller.workspaceId, id);
    const [rows, total] = await Promise.all([
      db.schedule.findMany({
        where: { workflowId: id },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        skip: offset,
      }),
      db.schedule.count({ where: { workflowId: id } }),
    ]);
    return { data: rows.map((row) => presentSchedule(row)), total, limit, offset };
  },
});

const create = operation({
  id: 'schedules.create',
  method: 'POST',
  path: '/api/workflows/{id}/schedules',
  summary: 'Run a workflow at fixed times',
  description:
    'Fires while the workflow is active. Ticks missed while the service was down are made up for by one run. Needs ' +
    '`workflow:execute` as well. 403 when the workspace has as many schedules as its tier allows.',
  tag,
  access: memberAccess('schedule', 'create'),
  effect: writeEffect('configuration_change'),
  params: OfWorkflow,
  body: jsonBody(ScheduleCreate),
  reply: jsonReply(Schedule, { status: 201, location: '/api/workflows/{workflowId}/schedules/{id}' }),
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

const get = operation({
  id: 'schedules.get',
  method: 'GET',
  path: '/api/workflows/{id}/schedules/{scheduleId}',
  summary: 'Read a schedule',
  tag,
  access: memberAccess('schedule', 'read'),
  effect: readEffect(),
  params: One,
  reply: jsonReply(Schedule),
  run: async ({ db, caller }, { params: { id, scheduleId } }) =>
    presentSchedule(await find(db, caller.workspaceId, id, scheduleId)),
});

const update = operation({
  id: 'schedules.update',
  method: 'PUT',
  otherMethods: ['PATCH'],
  path: '/api/workflows/{id}/schedules/{scheduleId}',
  summary: 'Change a schedule',
  description: 'Needs `workflow:execute` as well, unless the schedule is or becomes disabled.',
  tag,
  access: memberAccess('schedule', 'update'),
  effect: writeEffect('configuration_change'),
  params: One,
  body: jsonBody(ScheduleUpdate),
  reply: jsonReply(Schedule),
  async run({ db, caller, note }, { params: { id, scheduleId }, body }) {
    note({ resourceId: scheduleId });
    const before = await find(db, caller.workspaceId, id, scheduleId);
    const { cron, timezone, enabled } = { ...before, ...body };
    if (enabled) await requireUse(db, caller, { resource: 'workflow', id });
    requireTimes(cron, timezone);
    // From now on: an enabled schedule does not make up for missed times.
    const [nextRunAt] = nextTimes(cron, timezone, new Date());
    const data = { ...body, input: body.input as object | undefined, nextRunAt, updatedAt: new Date() };
    return presentSchedule(await db.schedule.update({ where: { id: scheduleId }, data }));
  },
});

const remove = operation({
  id: 'schedules.delete',
  method: 'DELETE',
  path: '/api/workflows/{id}/schedules/{scheduleId}',
  summary: 'Delete a schedule',
  tag,
  access: memberAccess('schedule', 'delete'),
  effect: writeEffect('configuration_change'),
  params: One,
  async run({ db, caller, note }, { params: { id, scheduleId } }) {
    note({ resourceId: scheduleId });
    const { cron } = await find(db, caller.workspaceId, id, scheduleId);
    note({ metadata: { workflowId: id, cron } });
    await db.schedule.delete({ where: { id: scheduleId } });
  },
});

export const schedules = [list, create, get, update, remove];

export { list as listSchedules, create as createSchedule, update as updateSchedule, remove as deleteSchedule };
