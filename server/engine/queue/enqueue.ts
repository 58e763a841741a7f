import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import { databasePool } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { queryInTransaction, type AnyTransaction } from '@/server/platform/db/within';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { assignRunsStatement, bindSubmissions, SUBMIT_RUNS_SQL } from './enqueue-statement';
import { publishCheckpoints, countCheckpointCharacters } from '../store/checkpoint';
import type { RunSubmission } from './submission';

const SUBMIT_RUNS_QUERY = { name: 'engine.submit', text: SUBMIT_RUNS_SQL };

/**
 * `assigned`: stored with its worker; `queued`: any worker can claim it; `refused`: by a concurrency limit; null:
 * nothing is stored.
 */
type SubmissionResult = 'assigned' | 'queued' | 'refused' | null;
export type EnqueueResult = Exclude<SubmissionResult, 'refused'>;

async function storeSubmissions(submissions: RunSubmission[]): Promise<SubmissionResult[]> {
  const { isInDatabase, notifyWork } = currentDispatcher();
  const isAssigned = submissions.some(({ reservation }) => reservation);
  const firstSteps = submissions.map(({ reservation }) => reservation?.takeFirstStep());
  const statement = isAssigned
    ? { values: bindSubmissions(submissions, isInDatabase, firstSteps), ...assignRunsStatement(firstSteps) }
    : { values: bindSubmissions(submissions, isInDatabase), ...SUBMIT_RUNS_QUERY };
  // Writing megabytes to the connection takes as long as encoding them: the event loop gets a turn in between.
  if (statement.values.some((value) => Buffer.isBuffer(value))) await nextTurn();
  const { rows } = await databasePool().query<{ queued: string[]; assigned: string[]; refused: string[] }>(statement);
  const queued = new Set(rows[0]?.queued);
  const assigned = new Set(rows[0]?.assigned);
  const refused = new Set(rows[0]?.refused);
  if (queued.size > 0) notifyWork();
  if (!isInDatabase)
    publishCheckpoints(firstSteps.flatMap((step) => (step && assigned.has(step.executionId) ? step : [])));
  return submissions.map(({ executionId }) => {
    if (assigned.has(executionId)) return 'assigned';
    if (queued.has(executionId)) return 'queued';
    return refused.has(executionId) ? 'refused' : null;
  });
}

/** The error that the database raises for runs that are stored by other statements (`limit_runs`). */
const concurrencyLimitError = (): Error =>
  Object.assign(new pg.DatabaseError('as many runs as allowed are under way', 0, 'error'), { code: 'WF001' });

const storeByGroupCommit = groupCommit(storeSubmissions, {
  sizeOf({ inputJson, reservation }) {
    const firstStep = reservation?.takeFirstStep();
    return inputJson.length + (firstStep ? countCheckpointCharacters(firstStep) : 0);
  },
});

/**
 * Stores a submission by group commit. Resolves once it is durable. Throws if a concurrency limit refuses it
 * (`isOverConcurrencyLimit`).
 */
export async function enqueueSubmission(submission: RunSubmission): Promise<EnqueueResult> {
  const stored = await storeByGroupCommit(submission);
  if (stored === 'refused') throw concurrencyLimitError();
  return stored;
}

/**
 * Stores submissions as part of a transaction, in one statement. Returns how many were stored. Throws if a concurrency
 * limit refuses one of them.
 */
export async function enqueueAllInTransaction(db: AnyTransaction, submissions: RunSubmission[]): Promise<number> {
  type Row = { queued: string[]; refused: string[] };
  const [row] = await queryInTransaction<Row>(db, { ...SUBMIT_RUNS_QUERY, values: bindSubmissions(submissions, true) });
  if (row && row.refused.length > 0) throw concurrencyLimitError();
  return row?.queued.length ?? 0;
}

/** Stores a submission as part of a transaction. */
export const enqueueInTransaction = async (db: AnyTransaction, submission: RunSubmission): Promise<EnqueueResult> =>
  (await enqueueAllInTransaction(db, [submission])) > 0 ? 'queued' : null;
