import { pool, prisma, type Db } from '@/server/db/client';
import { anyWaiting, fairBatch, RoundRobin } from '@/server/db/fair-queue';
import { log } from '@/server/log';
import { findEnded } from './ended-run';
import { startErrorWorkflow } from './error-workflow';
import { storeAlertEvents, storeMissedRecovery } from './health';

/** After so many failures it is given up. */
const MAX_TRIES = 10;
const MOST = 50;

interface Ending {
  id: string;
  kind: 'follow' | 'recheck';
  workspaceId: string;
}

async function follow(db: Db, { id, kind }: Ending): Promise<void> {
  const run = await findEnded(db, id);
  if (!run || run.error?.code === 'CANCELLED' || run.trigger === 'test') return;
  if (kind === 'recheck') return storeMissedRecovery(db, run);
  await startErrorWorkflow(db, run);
  await storeAlertEvents(db, run);
}

const WAITING = {
  table: 'run_ending',
  key: 'execution_id, kind',
  condition: `kind <> 'clean'`,
  order: 'due_at',
} as const;
const TAKE_ONE = `WITH RECURSIVE ${fairBatch(WAITING, '$1', 1)}
DELETE FROM run_ending WHERE (execution_id, kind) IN (SELECT execution_id, kind FROM taken)
RETURNING execution_id AS id, kind, workspace_id AS "workspaceId"`;

const IS_ANY = { name: 'endings.any', text: anyWaiting(WAITING) };

const turns = new RoundRobin();

/** The oldest ending of the workspace whose turn it is. Undefined: nothing is due. */
async function takeOne(db: Db): Promise<Ending | undefined> {
  const [ending] = await turns.take((cursor) => db.$queryRawUnsafe<Ending[]>(TAKE_ONE, cursor));
  return ending;
}

/** Postpones what failed, with exponential backoff; at last it is given up. */
async function postpone({ id: executionId, kind }: Ending, error: unknown): Promise<void> {
  const [row] = await prisma().$queryRaw<{ tries: number }[]>`
    UPDATE run_ending SET tries = tries + 1, due_at = now() + make_interval(secs => least(600, power(2, tries)))
    WHERE execution_id = ${executionId} AND kind = ${kind} RETURNING tries`;
  log().warn({ err: error, execution: executionId, tries: row?.tries }, 'what follows the end of a run failed');
  if (row && row.tries >= MAX_TRIES) await prisma().runEnding.deleteMany({ where: { executionId, kind } });
}

/**
 * Does what follows the ends of runs, in turns by workspace. Each row is removed in the transaction that does what it stands for: nothing
 * happens twice, and nothing gets lost. Answers how many.
 */
export async function followEnded(): Promise<number> {
  if ((await pool().query(IS_ANY)).rowCount === 0) return 0;
  for (let done = 0; ; done += 1) {
    let ending: Ending | undefined;
    try {
      await prisma().$transaction(
        async (db) => {
          ending = await takeOne(db);
          if (ending) await follow(db, ending);
        },
        { timeout: 30_000 },
      );
    } catch (error) {
      if (!ending) throw error;
      await postpone(ending, error);
    }
    if (!ending || done >= MOST) return done;
  }
}
