// @ts-check
// Limits of time are meant for what keeps the processor busy. On a crowded machine a clock would blame those who
// were only kept waiting. Plain JavaScript, as threads of the sandbox need it, too.
import { readFileSync } from 'node:fs';

/** How many times its limit anything may take by the clock, however little of that it was on the processor. */
export const PATIENCE = 4;

/** Milliseconds that this thread has been on the processor; where the system doesn't tell, those of the clock. */
export function processorTime() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** @param {unknown} error Also of another realm: no instance of this one's Error. */
export const isTimeout = (error) =>
  /** @type {{ code?: unknown } | null} */ (error)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs `attempt` with the timeout for `node:vm` that gives it `milliseconds`: a second time, with patience, if it was
 * stopped before it had them. What the first try left half done must not matter.
 *
 * @template Result
 * @param {number} milliseconds
 * @param {(timeout: number) => Result} attempt
 * @returns {Result}
 */
export function withTimeout(milliseconds, attempt) {
  const begun = processorTime();
  try {
    return attempt(milliseconds);
  } catch (error) {
    // A thread is told of its time a little late.
    if (!isTimeout(error) || processorTime() - begun >= milliseconds * 0.8) throw error;
    return attempt(milliseconds * PATIENCE);
  }
}
