import { databasePool } from '@/server/platform/db/client';
import { retryWhileUnavailable } from '@/server/platform/db/failures/retry-while-unavailable';
import type { HumanDecision } from '@/server/workflow/nodes/node-type';
import { NO_RECEIVED_CALLS, readCalledPaths } from './calls';
import { readDecisions } from './progress';

/** Requests of users to a run that a worker executes. */
export interface RunSignals {
  isCancelRequested: boolean;
  decisions: Map<string, HumanDecision>;
  /** The paths at which calls have arrived. */
  calledPaths: ReadonlySet<string>;
}

export type RunSignalReader = (executionId: string) => Promise<RunSignals | null>;

/**
 * Reads the signals of a run; null: another worker owns the run. While a run is claimed, `available_at` is the flag for
 * a new signal: it is cleared before decisions and calls are read, so that none is missed. While the database is
 * unavailable it retries, until `lost`.
 */
export const createSignalReader =
  (workerId: string, lost: AbortSignal): RunSignalReader =>
  (executionId) =>
    retryWhileUnavailable(lost, () => readRunSignals(workerId, executionId));

async function readRunSignals(workerId: string, executionId: string): Promise<RunSignals | null> {
  const { rows } = await databasePool().query<{ is_cancel_requested: boolean }>({
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
    calledPaths: calls.get(executionId) ?? NO_RECEIVED_CALLS,
  };
}
