import { prisma, type Db } from '@/server/db/client';
import { log } from '@/server/log';
import { findEnded } from './ended-run';
import { startErrorWorkflow } from './error-workflow';
import { tellAlerts } from './health';

/** After so many failures it is given up. */
const MAX_TRIES = 10;
const MOST = 50;

async function follow(db: Db, executionId: string): Promise<void> {
  const run = await findEnded(db, executionId);
  if (!run || run.error?.code === 'CANCELLED') return;
  await startErrorWorkflow(db, run);
  await tellAlerts(db, run);
}

/** Another process passes over the row while this one has it. Undefined: nothing is due. */
const takeOne = (db: Db) =>
  db.$queryRaw<{ id: string }[]>`
    DELETE FROM run_ending WHERE (execution_id, kind) IN (
      SELECT execution_id, kind FROM run_ending WHERE kind = 'follow' AND due_at <= now()
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING execution_id AS id`;

/** Postpones what failed, with exponential backoff; at last it is given up. */
async function postpone(executionId: string, error: unknown): Promise<void> {
  const [row] = await prisma().$queryRaw<{ tries: number }[]>`
    UPDATE run_ending SET tries = tries + 1, due_at = now() + make_interval(secs => least(600, power(2, tries)))
    WHERE execution_id = ${executionId} AND kind = 'follow' RETURNING tries`;
  log().warn({ err: error, execution: executionId, tries: row?.tries }, 'what follows the end of a run failed');
  if (row && row.tries >= MAX_TRIES) await prisma().runEnding.deleteMany({ where: { executionId, kind: 'follow' } });
}

/**
 * Does what follows the ends of runs. Each row is removed in the transaction that does what it stands for: nothing
 * happens twice, and nothing gets lost. Answers how many.
 */
export async function followEnded(): Promise<number> {
  for (let done = 0; ; done += 1) {
    let id: string | undefined;
    try {
      await prisma().$transaction(
        async (db) => {
          id = (await takeOne(db))[0]?.id;
          if (id !== undefined) await follow(db, id);
        },
        { timeout: 30_000 },
      );
    } catch (error) {
      if (id === undefined) throw error;
      await postpone(id, error);
    }
    if (id === undefined || done >= MOST) return done;
  }
}
