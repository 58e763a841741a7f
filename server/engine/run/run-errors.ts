import type { RunError } from '@/contract/execution';
import type { RunResult } from '@/server/platform/counters/meters';
import { MAX_RUN_CRASHES } from '../queue/lease';

/** Creates the error of a run that no node caused. */
export const createRunError = (code: string, message: string): RunError => ({ code, message, nodeId: null });

export const RUN_CANCELLED_ERROR = createRunError('CANCELLED', 'The run was cancelled.');
export const RUN_TIMEOUT_ERROR = createRunError('TIMEOUT', 'The run took longer than the time limit of its workflow.');

/** The error of a run whose worker processes died. `inFlight`: the nodes that were in flight when the last one died. */
export function createCrashedError(inFlight: string[]): RunError {
  const nodes = inFlight.length > 0 ? ` Nodes in flight at the last try: ${inFlight.slice(0, 10).join(', ')}.` : '';
  const message = `The run was tried ${MAX_RUN_CRASHES} times, and each time the process that ran it died or stopped responding. The last ${MAX_RUN_CRASHES - 1} times it ran alone.${nodes}`;
  return { code: 'CRASHED', message, nodeId: inFlight.length === 1 ? (inFlight[0] ?? null) : null };
}
/** How a run with this end is counted. The error of a node is a failure, whatever its code. */
export function classifyRunResult(error: RunError | null): RunResult {
  if (!error) return 'completed';
  if (error.code === 'CRASHED') return 'crashed';
  if (error.nodeId !== null) return 'failed';
  return error.code === 'CANCELLED' ? 'cancelled' : error.code === 'TIMEOUT' ? 'timed_out' : 'failed';
}

/** A run whose stored state cannot be read is ended, so that it is not claimed for ever. */
export const createUnreadableStateError = (reason: string): RunError =>
  createRunError('RUN_UNREADABLE', `The stored state of the run cannot be read: ${reason}. Start the workflow again.`);

export const RUN_NOT_RUNNABLE_ERROR = createRunError('INTERNAL', 'The definition of this version can not be run.');
export const RUN_OUTPUT_TOO_LARGE_ERROR = createRunError('OUTPUT_TOO_LARGE', 'The outputs together are too large.');
