import { setTimeout as pause } from 'node:timers/promises';
import { isTransientFailure } from './verdict';

const UNAVAILABLE_RETRY_MS = 200;

/** The number of tasks that wait for the database, by their signal. */
const waitCountBySignal = new WeakMap<AbortSignal, number>();

/** Whether something under this signal waits for the database, which has failed: that is no time that a node takes. */
export const isWaitingForDatabase = (signal: AbortSignal): boolean => (waitCountBySignal.get(signal) ?? 0) > 0;

/** Work under a signal that waits for the database, from its first failure until `end`. */
export class DatabaseWait {
  private hasFailed = false;

  constructor(private readonly signal: AbortSignal) {}

  /** The pause after a failure. Ends early when the signal is aborted. */
  async pause(ms = UNAVAILABLE_RETRY_MS): Promise<void> {
    if (!this.hasFailed) this.count(1);
    this.hasFailed = true;
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }

  end(): void {
    if (this.hasFailed) this.count(-1);
    this.hasFailed = false;
  }

  private count(change: number): void {
    waitCountBySignal.set(this.signal, (waitCountBySignal.get(this.signal) ?? 0) + change);
  }
}

/**
 * Repeats work on the database while it fails for a passing reason, until it succeeds, fails for another, or `signal`
 * is aborted.
 */
export async function retryWhileUnavailable<Answer>(signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
  const wait = new DatabaseWait(signal);
  try {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        if (!isTransientFailure(error)) throw error;
        await wait.pause();
      }
    }
  } finally {
    wait.end();
  }
}
