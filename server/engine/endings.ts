import type { RunError } from '@/contract/execution';

/** A run whose workers died so often without its getting on is what kills them. */
export const MAX_CLAIMS = 10;

/** An end that no node is to blame for. */
export const failureOf = (code: string, message: string): RunError => ({ code, message, nodeId: null });

export const CANCELLED = failureOf('CANCELLED', 'The run was cancelled.');

/** `underWay`: the nodes that were when the last worker was lost. */
export function crashed(underWay: string[]): RunError {
  const doing = underWay.length > 0 ? ` Under way at the last: ${underWay.slice(0, 10).join(', ')}.` : '';
  const message = `Given up: ${MAX_CLAIMS} workers in a row were lost while they had this run.${doing}`;
  return { code: 'CRASHED', message, nodeId: underWay.length === 1 ? (underWay[0] ?? null) : null };
}
export const NOT_RUNNABLE = failureOf('INTERNAL', 'The definition of this version can not be run.');
export const TOO_LARGE = failureOf('OUTPUT_TOO_LARGE', 'The outputs together are too large.');
