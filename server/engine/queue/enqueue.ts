import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { pool } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { queryWithin, type Transaction } from '@/server/db/within';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { assignStatement, parameters, SUBMIT } from './enqueue-statement';
import { publishSteps, checkpointSize } from '../store/checkpoint';
import type { Submission } from './submission';

const PLAIN = { name: 'engine.submit', text: SUBMIT };

/** `assigned`: stored with its worker; `queued`: any worker can claim it; `refused`: by a concurrency limit; null: nothing is stored. */
type Stored = 'assigned' | 'queued' | 'refused' | null;
export type Enqueued = Exclude<Stored, 'refused'>;

async function storeAll(submissions: Submission[]): Promise<Stored[]> {
  const { isInDatabase, notifyWork } = dispatcher();
  const isAssigned = submissions.some(({ reservation }) => reservation);
  const firstSteps = submissions.map(({ reservation }) => reservation?.take());
  const statement = isAssigned
    ? { values: parameters(submissions, isInDatabase, firstSteps), ...assignStatement(firstSteps) }
    : { values: parameters(submissions, isInDatabase), ...PLAIN };
  // Writing megabytes to the connection takes as long as encoding them: others get their turn between.
  if (statement.values.some((value) => Buffer.isBuffer(value))) await nextTurn();
  const { rows } = await pool().query<{ queued: string[]; assigned: string[]; refused: string[] }>(statement);
  const queued = new Set(rows[0]?.queued);
  const assigned = new Set(rows[0]?.assigned);
  const refused = new Set(rows[0]?.refused);
  if (queued.size > 0) notifyWork();
  if (!isInDatabase) publishSteps(firstSteps.flatMap((step) => (step && assigned.has(step.executionId) ? step : [])));
  return submissions.map(({ executionId }) => {
    if (assigned.has(executionId)) return 'assigned';
    if (queued.has(executionId)) return 'queued';
    return refused.has(executionId) ? 'refused' : null;
  });
}

/** The error that the database raises for runs that are stored by other statements (`limit_runs`). */
const overLimit = (): Error =>
  Object.assign(new pg.DatabaseError('as many runs as allowed are under way', 0, 'error'), { code: 'WF001' });

const storeTogether = groupCommit(storeAll, {
  sizeOf({ inputJson, reservation }) {
    const firstStep = reservation?.take();
    return inputJson.length + (firstStep ? checkpointSize(firstStep) : 0);
  },
});

/** Stores a submission by group commit. Resolves once it is durable. Throws if a concurrency limit refuses it (`isOverLimit`). */
export async function enqueue(submission: Submission): Promise<Enqueued> {
  const stored = await storeTogether(submission);
  if (stored === 'refused') throw overLimit();
  return stored;
}

/** Stores submissions as part of a transaction, in one statement. Returns how many were stored. Throws if a concurrency limit refuses one of them. */
export async function enqueueAllWithin(db: Transaction, submissions: Submission[]): Promise<number> {
  type Row = { queued: string[]; refused: string[] };
  const [row] = await queryWithin<Row>(db, { ...PLAIN, values: parameters(submissions, true) });
  if (row && row.refused.length > 0) throw overLimit();
  return row?.queued.length ?? 0;
}

/** Stores a submission as part of a transaction. */
export const enqueueWithin = async (db: Transaction, submission: Submission): Promise<Enqueued> =>
  (await enqueueAllWithin(db, [submission])) > 0 ? 'queued' : null;
