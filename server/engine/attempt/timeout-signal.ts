import { isWaitingForDatabase } from '@/server/platform/db/failures/retry-while-unavailable';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import type { LeaseCertainty } from '@/server/platform/timers/lease-clock';

/** Interval at which a node that waits for the database is checked again, once its time is over. */
const DATABASE_CHECK_INTERVAL_MS = 200;

/**
 * A signal that aborts with `outer` or after the timeout. Time in which the database is away does not count: it is not
 * the node that takes it. Linked manually, because a signal of AbortSignal.any retains its listeners and everything
 * that they reference (memory leak).
 */
export function createTimeoutSignal(
  outer: AbortSignal,
  timeoutMs: number | undefined,
  lease: LeaseCertainty,
): { signal: AbortSignal; release: () => void } {
  const ending = new AbortController();
  const end = () => ending.abort();
  if (outer.aborted) end();
  else outer.addEventListener('abort', end, { once: true });
  let countedMs = lease.uncertainMs();
  const endInTime = () => {
    const awayMs = lease.uncertainMs() - countedMs;
    countedMs += awayMs;
    const moreMs = isWaitingForDatabase(ending.signal) ? Math.max(awayMs, DATABASE_CHECK_INTERVAL_MS) : awayMs;
    if (moreMs > 0) timer = setTimeout(endInTime, moreMs);
    else end();
  };
  let timer = timeoutMs === undefined ? undefined : setTimeout(endInTime, timeoutMs);
  const release = () => {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  };
  return { signal: ending.signal, release };
}

/**
 * Resolves with the result of `work`, or rejects as soon as the signal aborts. Removes its listener from the signal.
 */
export async function raceWithAbort<Result>(signal: AbortSignal, work: Result | Promise<Result>): Promise<Result> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new NodeFailure('ABORTED', 'The node was stopped.', false));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
