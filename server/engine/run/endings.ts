import type { RunError } from '@/contract/execution';
import type { RunResult } from '@/server/meters/meters';
import { MAX_CRASHES } from '../queue/lease';

/** A failure that no node caused. */
export const runFailure = (code: string, message: string): RunError => ({ code, message, nodeId: null });

export const CANCELLED = runFailure('CANCELLED', 'The run was cancelled.');
export const TIMED_OUT = runFailure('TIMEOUT', 'The run took longer than the time limit of its workflow.');

/** `inFlight`: the nodes that were in flight when the last worker process died. */
export function crashed(inFlight: string[]): RunError {
  const nodes = inFlight.length > 0 ? ` Nodes in flight at the last try: ${inFlight.slice(0, 10).join(', ')}.` : '';
  const message = `The run was tried ${MAX_CRASHES} times, and each time the process that ran it died or stopped responding. The last ${MAX_CRASHES - 1} times it ran alone.${nodes}`;
  return { code: 'CRASHED', message, nodeId: inFlight.length === 1 ? (inFlight[0] ?? null) : null };
}
/** How a run with this end is counted. The error of a node is a failure, whatever its code. */
export function countedResult(error: RunError | null): RunResult {
  if (!error) return 'completed';
  if (error.code === 'CRASHED') return 'crashed';
  if (error.nodeId !== null) return 'failed';
  return error.code === 'CANCELLED' ? 'cancelled' : error.code === 'TIMEOUT' ? 'timed_out' : 'failed';
}

/** A run whose stored state cannot be read is ended, so that it is not claimed for ever. */
export const unreadableState = (reason: string): RunError =>
  runFailure('RUN_UNREADABLE', `The stored state of the run cannot be read: ${reason}. Start the workflow again.`);

export const NOT_RUNNABLE = runFailure('INTERNAL', 'The definition of this version can not be run.');
export const TOO_LARGE = runFailure('OUTPUT_TOO_LARGE', 'The outputs together are too large.');
