import { setTimeout as pause } from 'node:timers/promises';
import { isTransient } from './transient';

const RETRY_MS = 200;

/** Asks the database, and asks again while it is away, until it answers, refuses, or `signal` is aborted. */
export async function patiently<Answer>(
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
