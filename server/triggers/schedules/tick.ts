import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { FieldIssue } from '@/contract/error-response';
import type { JsonObject } from '@/contract/text';
import type { ScheduleOverlapMode } from '@/contract/triggers/schedule';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { BoundedCache } from '@/server/platform/cache/cache';
import { prismaClient } from '@/server/platform/db/client';
import { isOverConcurrencyLimit } from '@/server/platform/db/failures/sql-state';
import { withPoolTransaction } from '@/server/platform/db/within';
import { ApiProblem } from '@/server/platform/errors/problem';
import { FairSemaphore } from '@/server/engine/load/fair-semaphore';
import { findRunInputIssues } from '@/server/workflow/nodes/flow/start';
import { nextCronTimes } from '@/server/workflow/definition/cron';
import { runStartIssues } from '@/server/workflow/definition/readiness';
import { storeScheduleMissedEvent } from '@/server/triggers/missed-events';
import { submitRun } from '@/server/engine/queue/submit';

/** A due time of a schedule. */
export interface ScheduleTick {
  id: string;
  cron: string;
  timezone: string;
  input: JsonObject;
  overlap: ScheduleOverlapMode;
  /** The start node at which its runs begin; null: every start node. */
  startNodeId: string | null;
  lastExecutionId: string | null;
  /** The due time. */
  nextRunAt: Date;
  workspaceId: string;
  workflowId: string;
  version: number;
  status: string;
  definition: WorkflowDefinition;
}

/** `passed`: the workflow is not active, or another process fires the tick. */
export type TickResult = 'started' | 'skipped' | 'passed';

/** A check that takes longer counts as failed: the tick is skipped. */
const INPUT_CHECK_TIMEOUT_MS = 10_000;
const LATE_TICK_REASON = 'No worker was running at this time. One run makes up for it.';
const SLOW_CHECK_MESSAGE = `could not be checked within ${INPUT_CHECK_TIMEOUT_MS / 1000} seconds.`;

/**
 * Limits the concurrent transactions of ticks in one process: each holds a connection. One workspace gets at most
 * three.
 */
const tickTransactions = new FairSemaphore(4);

async function isRunUnfinished(executionId: string | null): Promise<boolean> {
  if (executionId === null) return false;
  const where = { id: executionId, status: { notIn: ['completed', 'failed'] } };
  return (await prismaClient().execution.count({ where })) > 0;
}

/**
 * Keyed by version, start node and input: a schedule's input is checked when one of them has changed, not at every
 * tick.
 */
const checkedInputCache = new BoundedCache<string, { issues?: FieldIssue[]; checking?: Promise<FieldIssue[] | null> }>(
  10_000,
);

async function cachedInputIssues(tick: ScheduleTick): Promise<FieldIssue[]> {
  const { workflowId, version, startNodeId, input } = tick;
  const key = `${workflowId}@${version} ${createHash('sha256')
    .update(JSON.stringify([startNodeId, input]))
    .digest('base64')}`;
  const cached = checkedInputCache.get(key, () => ({}));
  if (cached.issues) return cached.issues;
  // Ticks of one moment with the same input are checked together.
  cached.checking ??= checkTickInput(tick).finally(() => (cached.checking = undefined));
  const issues = await cached.checking;
  if (issues === null) return [{ field: 'input', message: SLOW_CHECK_MESSAGE }];
  return (cached.issues = issues);
}

/** Returns null if the check took too long. */
async function checkTickInput({
  workspaceId,
  definition,
  startNodeId,
  input,
}: ScheduleTick): Promise<FieldIssue[] | null> {
  const signal = AbortSignal.timeout(INPUT_CHECK_TIMEOUT_MS);
  try {
    return await findRunInputIssues(definition, input, { workspaceId, signal }, startNodeId);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/**
 * Why this tick starts no run; null: it may start one. Checked outside of transactions, because checks may wait for
 * other work of the workspace.
 */
async function findSkipReason(tick: ScheduleTick): Promise<string | null> {
  if (tick.overlap === 'skip' && (await isRunUnfinished(tick.lastExecutionId))) {
    return `The previous run, ${tick.lastExecutionId}, is still running.`;
  }
  const gaps = await runStartIssues(prismaClient(), tick.workspaceId, tick.definition, tick.startNodeId);
  const [issue] = [...gaps, ...(await cachedInputIssues(tick))];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

const MINUTE_MS = 60_000;

/** Next times by schedule and minute: many schedules of one minute have the same next time. */
const nextTimeCache = new BoundedCache<string, { time?: Date | null }>(2000);

/** Returns the next time of a schedule after `time`; null: there is none. */
function nextTickTime({ cron, timezone }: ScheduleTick, time: Date): Date | null {
  const cached = nextTimeCache.get(`${cron} ${timezone} ${Math.floor(time.getTime() / MINUTE_MS)}`, () => ({}));
  if (cached.time === undefined) cached.time = nextCronTimes(cron, timezone, time)[0] ?? null;
  return cached.time;
}

/** Whether further ticks have passed as well, because no process was running to fire them. */
function isTickLate(tick: ScheduleTick, now: Date): boolean {
  if (tick.status !== 'active' || now.getTime() - tick.nextRunAt.getTime() < MINUTE_MS) return false;
  const next = nextTickTime(tick, tick.nextRunAt);
  return next !== null && next <= now;
}

/**
 * Changes the schedule, unless another process has this tick, or the workflow has changed since it was
 * read. `advanced_from` says that this process knows start nodes: a trigger of the database withholds schedules with one
 * from processes that do not write it.
 */
const ADVANCE_SCHEDULE_SQL = `
UPDATE schedule SET next_run_at = $5, advanced_from = next_run_at, last_error = $6, last_run_at = coalesce($7, last_run_at), last_execution_id = coalesce($8, last_execution_id),
  last_missed_at = coalesce($9, last_missed_at), last_missed_reason = coalesce($10, last_missed_reason)
WHERE id IN (
  SELECT s.id FROM schedule s JOIN workflow w ON w.id = s.workflow_id
  WHERE s.id = $1 AND s.enabled AND s.next_run_at = $2 AND w.version = $3 AND w.status = $4
  FOR UPDATE OF s SKIP LOCKED)`;

/** Rolls a transaction back without an error. */
class TickPassedError extends Error {}

/** Submits the run of a tick. Returns the run, or the reason why it was refused. */
function startTickRun(
  { id, cron, workspaceId, workflowId, version, startNodeId, input }: ScheduleTick,
  client: pg.ClientBase,
) {
  const run = {
    workspaceId,
    workflowId,
    workflowVersion: version,
    startNodeId,
    input,
    trigger: 'schedule',
    createdBy: null,
  } as const;
  return submitRun({ ...run, triggeredBy: { id, name: cron } }, { db: client }).catch(refusalReason);
}

/** Returns the reason of a refusal. A refusal is raised before anything is written, so the transaction can continue. */
function refusalReason(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  if (isOverConcurrencyLimit(error)) return 'The limit of concurrent runs is reached.';
  throw error;
}

/**
 * Fires a tick in a transaction of its own: a run and its schedule's next time are committed together. `refusal`: a
 * reason that is known beforehand; the tick then starts no run.
 */
export async function fireScheduleTick(
  tick: ScheduleTick,
  now: Date,
  refusal: string | null = null,
): Promise<TickResult> {
  const isActive = tick.status === 'active';
  const reason = refusal ?? (isActive ? await findSkipReason(tick) : null);
  const release = await tickTransactions.acquire(tick.workspaceId, 1);
  try {
    return await withPoolTransaction('BEGIN', async (client) => {
      const outcome = isActive && reason === null ? await startTickRun(tick, client) : reason;
      const lastError = typeof outcome === 'string' ? outcome : null;
      const executionId = typeof outcome === 'object' ? (outcome?.executionId ?? null) : null;
      const missed = lastError ?? (isTickLate(tick, now) ? LATE_TICK_REASON : null);
      const advanced = await client.query({
        name: 'schedules.advance',
        text: ADVANCE_SCHEDULE_SQL,
        values: [
          tick.id,
          tick.nextRunAt,
          tick.version,
          tick.status,
          // Computed from now: one run makes up for all missed ticks.
          nextTickTime(tick, now),
          lastError,
          executionId && now,
          executionId,
          missed && tick.nextRunAt,
          missed,
        ],
      });
      if (advanced.rowCount === 0) throw new TickPassedError();
      if (missed !== null) await storeScheduleMissedEvent(client, tick);
      if (executionId !== null) return 'started';
      return isActive ? 'skipped' : 'passed';
    });
  } catch (error) {
    if (error instanceof TickPassedError) return 'passed';
    throw error;
  } finally {
    release();
  }
}
