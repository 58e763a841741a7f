import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { FieldError } from '@/contract/error';
import type { JsonObject } from '@/contract/text';
import type { Overlap } from '@/contract/triggers/schedule';
import type { Definition } from '@/contract/workflows/workflow';
import { Cache } from '@/server/cache';
import { prisma } from '@/server/db/client';
import { isOverLimit } from '@/server/db/failures/sql-state';
import { inTransaction } from '@/server/db/within';
import { Problem } from '@/server/errors/problem';
import { FairSemaphore } from '../load/fair-semaphore';
import { inputIssues } from '@/server/nodes/flow/start';
import { nextTimes } from '@/server/workflow/cron';
import { gapsOf } from '@/server/workflow/readiness';
import { storeMissedEvent } from './missed';
import { submit } from './submit';

/** One time of a schedule that has come. */
export interface Tick {
  id: string;
  cron: string;
  timezone: string;
  input: JsonObject;
  overlap: Overlap;
  lastExecutionId: string | null;
  /** The time. */
  nextRunAt: Date;
  workspaceId: string;
  workflowId: string;
  version: number;
  status: string;
  definition: Definition;
}

/** `passed`: the workflow is not active, or another process has it. */
export type TickResult = 'started' | 'skipped' | 'passed';

/** A check that takes longer is an answer: the tick is skipped. */
const CHECK_MS = 10_000;
const LATE = 'No worker was running at this time. One run makes up for it.';
const SLOW = `could not be checked within ${CHECK_MS / 1000} seconds.`;

/** Transactions of ticks at a time in one process. Each holds a connection, and one workspace gets three of them at most. */
const transactions = new FairSemaphore(4);

async function isRunning(executionId: string | null): Promise<boolean> {
  if (executionId === null) return false;
  const where = { id: executionId, status: { notIn: ['completed', 'failed'] } };
  return (await prisma().execution.count({ where })) > 0;
}

/** Keyed by version and input: a schedule's input is checked when one of them has changed, not at every tick. */
const checkedInputs = new Cache<string, { issues?: FieldError[]; checking?: Promise<FieldError[] | null> }>(10_000);

async function issuesOf(tick: Tick): Promise<FieldError[]> {
  const { workflowId, version, input } = tick;
  const key = `${workflowId}@${version} ${createHash('sha256').update(JSON.stringify(input)).digest('base64')}`;
  const cached = checkedInputs.get(key, () => ({}));
  if (cached.issues) return cached.issues;
  // Ticks of one moment with the same input are checked together.
  cached.checking ??= checkInput(tick).finally(() => (cached.checking = undefined));
  const issues = await cached.checking;
  if (issues === null) return [{ field: 'input', message: SLOW }];
  return (cached.issues = issues);
}

/** Null: it took too long. */
async function checkInput({ workspaceId, definition, input }: Tick): Promise<FieldError[] | null> {
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    return await inputIssues(definition, input, { workspaceId, signal });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Why this tick starts no run; null: it may start one. Checked outside of transactions, because checks may wait for other work of the workspace. */
async function reasonToSkip(tick: Tick): Promise<string | null> {
  if (tick.overlap === 'skip' && (await isRunning(tick.lastExecutionId))) {
    return `The previous run, ${tick.lastExecutionId}, is still running.`;
  }
  const gaps = await gapsOf(prisma(), tick.workspaceId, tick.definition);
  const [issue] = [...gaps, ...(await issuesOf(tick))];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

const MINUTE_MS = 60_000;

/** Times of schedules, by schedule and minute: the same is asked for many schedules of one minute. */
const following = new Cache<string, { time?: Date | null }>(2000);

/** The next time of a schedule after another one; null: there is none. */
function timeAfter({ cron, timezone }: Tick, time: Date): Date | null {
  const cached = following.get(`${cron} ${timezone} ${Math.floor(time.getTime() / MINUTE_MS)}`, () => ({}));
  if (cached.time === undefined) cached.time = nextTimes(cron, timezone, time)[0] ?? null;
  return cached.time;
}

/** More ticks than this one have passed: no process was there to fire them. */
function isLate(tick: Tick, now: Date): boolean {
  if (tick.status !== 'active' || now.getTime() - tick.nextRunAt.getTime() < MINUTE_MS) return false;
  const next = timeAfter(tick, tick.nextRunAt);
  return next !== null && next <= now;
}

/** Changes the schedule, unless another process has this tick, or the workflow has changed since it was read. */
const ADVANCE = `
UPDATE schedule SET next_run_at = $5, last_error = $6, last_run_at = coalesce($7, last_run_at), last_execution_id = coalesce($8, last_execution_id),
  last_missed_at = coalesce($9, last_missed_at), last_missed_reason = coalesce($10, last_missed_reason)
WHERE id IN (
  SELECT s.id FROM schedule s JOIN workflow w ON w.id = s.workflow_id
  WHERE s.id = $1 AND s.enabled AND s.next_run_at = $2 AND w.version = $3 AND w.status = $4
  FOR UPDATE OF s SKIP LOCKED)`;

/** Rolls a transaction back without an error. */
class Passed extends Error {}

/** The run of a tick, or why it starts none. */
function start({ id, cron, workspaceId, workflowId, version, input }: Tick, client: pg.ClientBase) {
  const run = {
    workspaceId,
    workflowId,
    workflowVersion: version,
    input,
    trigger: 'schedule',
    createdBy: null,
  } as const;
  return submit({ ...run, triggeredBy: { id, name: cron } }, { db: client }).catch(reasonOf);
}

/** A refusal is raised before anything is written: the transaction can continue. */
function reasonOf(error: unknown): string {
  if (error instanceof Problem) return error.message;
  if (isOverLimit(error)) return 'The limit of concurrent runs is reached.';
  throw error;
}

/**
 * Fires a tick in a transaction of its own: a run and its schedule's next time are committed together. `refusal`: why it starts no run although
 * it could be checked.
 */
export async function fireTick(tick: Tick, now: Date, refusal: string | null = null): Promise<TickResult> {
  const isActive = tick.status === 'active';
  const reason = refusal ?? (isActive ? await reasonToSkip(tick) : null);
  const release = await transactions.take(tick.workspaceId, 1);
  try {
    return await inTransaction('BEGIN', async (client) => {
      const outcome = isActive && reason === null ? await start(tick, client) : reason;
      const lastError = typeof outcome === 'string' ? outcome : null;
      const executionId = typeof outcome === 'object' ? (outcome?.executionId ?? null) : null;
      const missed = lastError ?? (isLate(tick, now) ? LATE : null);
      const advanced = await client.query({
        name: 'schedules.advance',
        text: ADVANCE,
        values: [
          tick.id,
          tick.nextRunAt,
          tick.version,
          tick.status,
          // Computed from now: one run makes up for all missed ticks.
          timeAfter(tick, now),
          lastError,
          executionId && now,
          executionId,
          missed && tick.nextRunAt,
          missed,
        ],
      });
      if (advanced.rowCount === 0) throw new Passed();
      if (missed !== null) await storeMissedEvent(client, tick);
      if (executionId !== null) return 'started';
      return isActive ? 'skipped' : 'passed';
    });
  } catch (error) {
    if (error instanceof Passed) return 'passed';
    throw error;
  } finally {
    release();
  }
}
