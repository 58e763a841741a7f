import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from './transient';

const RETRY_MS = 200;

/** Repeats a query while the database is unavailable, until it succeeds, fails for another reason, or `signal` is aborted. */
export async function retryWhileUnavailable<Answer>(
  signal: AbortSignal,
  ask: () => Promise<Answer>,
  isRefusal: (error: unknown) => boolean = () => false,
): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      if (isRefusal(error) || !isTransient(error)) throw error;
      await pause(RETRY_MS);
    }
  }
}
