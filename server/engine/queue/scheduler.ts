import { createHash } from 'node:crypto';
import type { FieldError } from '@/contract/error';
import type { Definition } from '@/contract/workflows/workflow';
import type { JsonObject } from '@/contract/text';
import type { Overlap } from '@/contract/triggers/schedule';
import { Problem } from '@/server/errors/problem';
import { pool, prisma, type Db } from '@/server/db/client';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { log } from '@/server/log';
import { inputIssues } from '@/server/nodes/flow/start';
import { Cache } from '@/server/cache';
import { meters } from '@/server/meters/meters';
import { nextTimes } from '@/server/workflow/cron';
import { isFull } from './admission/limits';
import { storeMissedEvent } from './missed';
import { gapsOf } from '@/server/workflow/readiness';
import { repeat } from '@/server/repeat';
import { submit } from './submit';

const EVERY_MS = 1000;
/** Poll interval when the dispatcher reports each minute. */
const FALLBACK_MS = 10_000;
const BATCH = 50;

interface Due {
  id: string;
  cron: string;
  timezone: string;
  input: JsonObject;
  overlap: Overlap;
  lastExecutionId: string | null;
  nextRunAt: Date;
  workspaceId: string;
  workflowId: string;
  version: number;
  status: string;
  definition: Definition;
}

/** Asked first: it costs a fraction of a transaction. */
const IS_DUE = { name: 'schedules.due', text: 'SELECT FROM schedule WHERE enabled AND next_run_at <= $1 LIMIT 1' };

/** Locks due schedules for this transaction; other processes skip them, so that a tick fires once. */
const due = (db: Db, now: Date) =>
  db.$queryRaw<Due[]>`
    SELECT s.id, s.cron, s.timezone, s.input, s.overlap, s.last_execution_id AS "lastExecutionId", s.next_run_at AS "nextRunAt",
      w.workspace_id AS "workspaceId", w.id AS "workflowId", w.version, w.status, w.definition
    FROM schedule s JOIN workflow w ON w.id = s.workflow_id
    WHERE s.enabled AND s.next_run_at <= ${now}
    ORDER BY s.next_run_at
    LIMIT ${BATCH}
    FOR UPDATE OF s SKIP LOCKED`;

async function isRunning(db: Db, executionId: string | null): Promise<boolean> {
  if (executionId === null) return false;
  const where = { id: executionId, status: { notIn: ['completed', 'failed'] } };
  return (await db.execution.count({ where })) > 0;
}

/** Why this tick starts no run; null: it may start one. */
async function reasonToSkip(db: Db, tick: Due): Promise<string | null> {
  if (tick.overlap === 'skip' && (await isRunning(db, tick.lastExecutionId))) {
    return `The previous run, ${tick.lastExecutionId}, is still running.`;
  }
  if (await isFull(db, tick.workflowId)) return 'The limit of concurrent runs is reached.';
  const gaps = await gapsOf(db, tick.workspaceId, tick.definition);
  const [issue] = [...gaps, ...(await issuesOf(tick))];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

/** Keyed by version and input: a schedule's input is checked when one of them has changed, not at every tick. */
const checkedInputs = new Cache<string, { issues?: FieldError[] }>(2000);

async function issuesOf({ workspaceId, workflowId, version, definition, input }: Due): Promise<FieldError[]> {
  const key = `${workflowId}@${version} ${createHash('sha256').update(JSON.stringify(input)).digest('base64')}`;
  const cached = checkedInputs.get(key, () => ({}));
  return (cached.issues ??= await inputIssues(definition, input, { workspaceId }));
}

/** More ticks than this one have passed: no process was there to fire them. */
function isLate({ cron, timezone, nextRunAt, status }: Due, now: Date): boolean {
  const [following] = nextTimes(cron, timezone, nextRunAt);
  return status === 'active' && following !== undefined && following <= now;
}

const LATE = 'No worker was running at this time. One run makes up for it.';

/** The columns of a time that passes without its run; also tells the alerts. */
async function missed(db: Db, tick: Due, lastMissedReason: string) {
  await storeMissedEvent(db, tick);
  return { lastMissedAt: tick.nextRunAt, lastMissedReason };
}

/** Returns whether a run was started. */
async function fire(db: Db, tick: Due, now: Date): Promise<boolean> {
  // The next time is computed from now: one run makes up for all missed ticks.
  const [nextRunAt] = nextTimes(tick.cron, tick.timezone, now);
  const lastError = tick.status === 'active' ? await reasonToSkip(db, tick) : null;
  const why = lastError ?? (isLate(tick, now) ? LATE : null);
  const advanced = { nextRunAt: nextRunAt ?? null, lastError, ...(why !== null && (await missed(db, tick, why))) };
  if (tick.status !== 'active' || lastError !== null) {
    await db.schedule.update({ where: { id: tick.id }, data: advanced });
    return false;
  }
  const { id, cron, workspaceId, workflowId, version: workflowVersion, input } = tick;
  const triggeredBy = { id, name: cron };
  const run = {
    workspaceId,
    workflowId,
    workflowVersion,
    trigger: 'schedule',
    triggeredBy,
    input,
    createdBy: null,
  } as const;
  const submitted = await submit(run, { db }).catch(toRefusal);
  const outcome =
    submitted instanceof Problem
      ? { lastError: submitted.message, ...(await missed(db, tick, submitted.message)) }
      : { lastRunAt: now, lastExecutionId: submitted.executionId };
  await db.schedule.update({ where: { id: tick.id }, data: { ...advanced, ...outcome } });
  return !(submitted instanceof Problem);
}

/** A refusal is raised before anything is written: the transaction can continue. */
function toRefusal(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

/** Fires all due ticks; a run and its schedule's next time are committed atomically. Returns the number of ticks. */
export async function fireDue(now = new Date()): Promise<number> {
  if ((await pool().query({ ...IS_DUE, values: [now] })).rowCount === 0) return 0;
  const fired = await prisma().$transaction(
    async (db) => {
      const ticks = await due(db, now);
      const started: { tick: Due; isStarted: boolean }[] = [];
      for (const tick of ticks) started.push({ tick, isStarted: await fire(db, tick, now) });
      return started;
    },
    { timeout: 30_000 },
  );
  for (const { tick, isStarted } of fired) {
    if (isStarted) meters.scheduleLateness.observe(Math.max(0, now.getTime() - tick.nextRunAt.getTime()) / 1000);
    if (tick.status === 'active') meters.scheduleTicks.count(isStarted ? 'started' : 'skipped');
  }
  return fired.length;
}

/** Fires due ticks in every worker process: each second, or at each minute that the dispatcher reports. */
export async function startScheduler(): Promise<{ stop(): Promise<void> }> {
  const { isInDatabase, everyMinute } = dispatcher();
  const everyMs = isInDatabase ? EVERY_MS : FALLBACK_MS;
  const round = repeat(
    async () => ((await fireDue()) === BATCH ? 0 : everyMs),
    everyMs,
    (error) => log().error({ err: error }, 'a round of the scheduler failed'),
  );
  const clock = await everyMinute(round.now);
  round.now();
  return {
    async stop() {
      await Promise.all([clock.close(), round.stop()]);
    },
  };
}
