import { pool } from '@/server/db/client';
import { retryWhileUnavailable } from '@/server/db/failures/retry-while-unavailable';
import type { Decision } from '@/server/nodes/node';
import { NO_CALLS, readCalledPaths } from './calls';
import { readDecisions } from './progress';

/** Requests of users to a run that a worker executes. */
export interface Signals {
  isCancelRequested: boolean;
  decisions: Map<string, Decision>;
  /** The paths at which calls have arrived. */
  calls: ReadonlySet<string>;
}

export type ReadSignals = (executionId: string) => Promise<Signals | null>;

/**
 * Reads the signals of a run; null: another worker owns the run. While a run is claimed, `available_at` is the flag for
 * a new signal: it is cleared before decisions and calls are read, so that none is missed. While the database is
 * unavailable it retries, until `lost`.
 */
export const signalReader =
  (workerId: string, lost: AbortSignal): ReadSignals =>
  (executionId) =>
    retryWhileUnavailable(lost, () => read(workerId, executionId));

async function read(workerId: string, executionId: string): Promise<Signals | null> {
  const { rows } = await pool().query<{ is_cancel_requested: boolean }>({
    name: 'engine.signals',
    text: `UPDATE execution SET available_at = NULL WHERE id = $1 AND worker_id = $2
      RETURNING cancel_requested_at IS NOT NULL AS is_cancel_requested`,
    values: [executionId, workerId],
  });
  const [row] = rows;
  if (!row) return null;
  const [decisions, calls] = await Promise.all([readDecisions([executionId]), readCalledPaths([executionId])]);
  return {
    isCancelRequested: row.is_cancel_requested,
    decisions: new Map(decisions.map(([, { path, decision }]) => [path, decision])),
    calls: calls.get(executionId) ?? NO_CALLS,
  };
}
