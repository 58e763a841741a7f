import { databasePool, prismaClient, type DatabaseClient } from '@/server/platform/db/client';
import { anyWaitingSql, fairBatchSql, WorkspaceRoundRobin } from '@/server/platform/db/fair-queue';
import { serviceLog } from '@/server/platform/log';
import { findEndedRun } from './ended-run';
import { startErrorWorkflow } from './error-workflow';
import { storeRunAlertEvents, storeMissedRecoveryEvent } from './health';

/** A follow-up that fails this often is removed. */
const MAX_FOLLOW_UP_ATTEMPTS = 10;
const MAX_FOLLOW_UPS_PER_ROUND = 50;

interface FollowUpRow {
  id: string;
  kind: 'follow' | 'recheck';
  workspaceId: string;
}

async function runFollowUp(db: DatabaseClient, { id, kind }: FollowUpRow): Promise<void> {
  const run = await findEndedRun(db, id);
  if (!run || run.error?.code === 'CANCELLED' || run.trigger === 'test') return;
  if (kind === 'recheck') return storeMissedRecoveryEvent(db, run);
  await startErrorWorkflow(db, run);
  await storeRunAlertEvents(db, run);
}

const FOLLOW_UP_QUEUE = {
  table: 'run_ending',
  key: 'execution_id, kind',
  condition: `kind <> 'clean'`,
  order: 'due_at',
} as const;
const TAKE_FOLLOW_UP_SQL = `WITH RECURSIVE ${fairBatchSql(FOLLOW_UP_QUEUE, '$1', 1)}
DELETE FROM run_ending WHERE (execution_id, kind) IN (SELECT execution_id, kind FROM taken)
RETURNING execution_id AS id, kind, workspace_id AS "workspaceId"`;

const ANY_FOLLOW_UP_QUERY = { name: 'endings.any', text: anyWaitingSql(FOLLOW_UP_QUEUE) };

const followUpTurns = new WorkspaceRoundRobin();

/** Takes the oldest follow-up of the workspace whose turn it is. Undefined: none is due. */
async function takeFollowUp(db: DatabaseClient): Promise<FollowUpRow | undefined> {
  const [ending] = await followUpTurns.take((cursor) => db.$queryRawUnsafe<FollowUpRow[]>(TAKE_FOLLOW_UP_SQL, cursor));
  return ending;
}

/** Postpones a failed follow-up with exponential backoff; removes it after too many attempts. */
async function postponeFollowUp({ id: executionId, kind }: FollowUpRow, error: unknown): Promise<void> {
  const [row] = await prismaClient().$queryRaw<{ tries: number }[]>`
    UPDATE run_ending SET tries = tries + 1, due_at = now() + make_interval(secs => least(600, power(2, tries)))
    WHERE execution_id = ${executionId} AND kind = ${kind} RETURNING tries`;
  serviceLog().warn({ err: error, execution: executionId, tries: row?.tries }, 'what follows the end of a run failed');
  if (row && row.tries >= MAX_FOLLOW_UP_ATTEMPTS)
    await prismaClient().runEnding.deleteMany({ where: { executionId, kind } });
}

/**
 * Executes due follow-ups of ended runs, in turns by workspace. The transaction that executes a follow-up also removes
 * its row: each one takes effect exactly once. Returns their number.
 */
export async function runDueFollowUps(): Promise<number> {
  if ((await databasePool().query(ANY_FOLLOW_UP_QUERY)).rowCount === 0) return 0;
  for (let done = 0; ; done += 1) {
    let ending: FollowUpRow | undefined;
    try {
      await prismaClient().$transaction(
        async (db) => {
          ending = await takeFollowUp(db);
          if (ending) await runFollowUp(db, ending);
        },
        { timeout: 30_000 },
      );
    } catch (error) {
      if (!ending) throw error;
      await postponeFollowUp(ending, error);
    }
    if (!ending || done >= MAX_FOLLOW_UPS_PER_ROUND) return done;
  }
}
