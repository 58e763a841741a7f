import { pool, type Db } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { assignStatement, parameters, SUBMIT } from './enqueue-statement';
import { publishSteps, checkpointSize } from '../store/checkpoint';
import type { Submission } from './submission';

/** `assigned`: stored with its worker; `queued`: any worker can claim it; null: nothing is stored. */
export type Enqueued = 'assigned' | 'queued' | null;

async function storeAll(submissions: Submission[]): Promise<Enqueued[]> {
  const { isInDatabase, notifyWork } = dispatcher();
  const isAssigned = submissions.some(({ reservation }) => reservation);
  const firstSteps = submissions.map(({ reservation }) => reservation?.take());
  const { rows } = await pool().query<{ queued: string[]; assigned: string[] }>(
    isAssigned
      ? { values: parameters(submissions, isInDatabase, firstSteps), ...assignStatement(firstSteps) }
      : { name: 'engine.submit', text: SUBMIT, values: parameters(submissions, isInDatabase) },
  );
  const queued = new Set(rows[0]?.queued);
  const assigned = new Set(rows[0]?.assigned);
  if (queued.size > 0) notifyWork();
  if (!isInDatabase) publishSteps(firstSteps.flatMap((step) => (step && assigned.has(step.executionId) ? step : [])));
  return submissions.map(({ executionId }) =>
    assigned.has(executionId) ? 'assigned' : queued.has(executionId) ? 'queued' : null,
  );
}

/** Stores a submission by group commit. Resolves once it is durable. */
export const enqueue = groupCommit(storeAll, {
  sizeOf({ inputJson, reservation }) {
    const firstStep = reservation?.take();
    return inputJson.length + (firstStep ? checkpointSize(firstStep) : 0);
  },
});

/** Stores submissions as part of a transaction, in one statement. Returns how many were stored. */
export async function enqueueAllWithin(db: Db, submissions: Submission[]): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ queued: string[] }[]>(SUBMIT, ...parameters(submissions, true));
  return row?.queued.length ?? 0;
}

/** Stores a submission as part of a transaction. */
export const enqueueWithin = async (db: Db, submission: Submission): Promise<Enqueued> =>
  (await enqueueAllWithin(db, [submission])) > 0 ? 'queued' : null;
