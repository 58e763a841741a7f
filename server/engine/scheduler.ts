import type { Definition } from '@/contract/workflow';
import type { JsonObject } from '@/contract/text';
import type { Overlap } from '@/contract/schedule';
import { prisma, type Db } from '../db/client';
import { dispatcher } from '../dispatch/dispatcher';
import { log } from '../log';
import { inputIssues } from '../nodes/start';
import { nextTimes } from './cron';
import { isFull } from './limits';
import { gapsOf } from './readiness';
import { repeat } from './repeat';
import { submit } from './submit';

const EVERY_MS = 1000;
/** Where somebody else keeps the time, a look now and then suffices. */
const SELDOM_MS = 10_000;
const BATCH = 50;

interface Due {
  id: string;
  cron: string;
  timezone: string;
  input: JsonObject;
  overlap: Overlap;
  lastExecutionId: string | null;
  workspaceId: string;
  workflowId: string;
  version: number;
  status: string;
  definition: Definition;
}

/** Locked for this transaction: another process passes over them, so a tick fires once. */
const due = (db: Db, now: Date) =>
  db.$queryRaw<Due[]>`
    SELECT s.id, s.cron, s.timezone, s.input, s.overlap, s.last_execution_id AS "lastExecutionId",
      w.workspace_id AS "workspaceId", w.id AS "workflowId", w.version, w.status, w.definition
    FROM schedule s JOIN workflow w ON w.id = s.workflow_id
    WHERE s.enabled AND s.next_run_at <= ${now}
    ORDER BY s.next_run_at
    LIMIT ${BATCH}
    FOR UPDATE OF s SKIP LOCKED`;

async function isUnderWay(db: Db, executionId: string | null): Promise<boolean> {
  if (executionId === null) return false;
  const where = { id: executionId, status: { notIn: ['completed', 'failed'] } };
  return (await db.execution.count({ where })) > 0;
}

/** Why this tick starts no run; null when it may. */
async function obstacle(db: Db, tick: Due): Promise<string | null> {
  if (tick.overlap === 'skip' && (await isUnderWay(db, tick.lastExecutionId))) {
    return `The run before, ${tick.lastExecutionId}, is still under way.`;
  }
  if (await isFull(db, tick.workflowId)) return 'As many runs as are allowed at a time are under way.';
  const gaps = await gapsOf(db, tick.workspaceId, tick.definition);
  const [issue] = [...gaps, ...inputIssues(tick.definition, tick.input)];
  return issue ? `${issue.field}: ${issue.message}` : null;
}

async function fire(db: Db, tick: Due, now: Date): Promise<void> {
  // Counted from now: however many ticks were missed, one run makes up for them.
  const [nextRunAt] = nextTimes(tick.cron, tick.timezone, now);
  const lastError = tick.status === 'active' ? await obstacle(db, tick) : null;
  const advanced = { nextRunAt: nextRunAt ?? null, lastError };
  if (tick.status !== 'active' || lastError !== null) {
    await db.schedule.update({ where: { id: tick.id }, data: advanced });
    return;
  }
  const { workspaceId, workflowId, version: workflowVersion, input } = tick;
  const run = { workspaceId, workflowId, workflowVersion, trigger: 'schedule', input, createdBy: null } as const;
  const { executionId } = await submit(run, { db });
  await db.schedule.update({
    where: { id: tick.id },
    data: { ...advanced, lastRunAt: now, lastExecutionId: executionId },
  });
}

/** Fires every tick that has come: the run and the schedule's next time are committed together. Answers how many. */
export const fireDue = (now = new Date()): Promise<number> =>
  prisma().$transaction(
    async (db) => {
      const ticks = await due(db, now);
      for (const tick of ticks) await fire(db, tick, now);
      return ticks.length;
    },
    { timeout: 30_000 },
  );

/** Looks for due ticks in every worker process: each second, or when the dispatcher says that a minute is full. */
export async function startScheduler(): Promise<{ stop(): Promise<void> }> {
  const { isInDatabase, everyMinute } = dispatcher();
  const everyMs = isInDatabase ? EVERY_MS : SELDOM_MS;
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
