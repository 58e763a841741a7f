import { NodeFailure } from '@/server/errors/node-failure';

/**
 * A signal that aborts with `outer` or after the timeout. Linked manually, because a signal of AbortSignal.any retains
 * its listeners and everything that they reference (memory leak).
 */
export function timeoutSignal(
  outer: AbortSignal,
  timeoutMs: number | undefined,
): { signal: AbortSignal; release: () => void } {
  const ending = new AbortController();
  const end = () => ending.abort();
  if (outer.aborted) end();
  else outer.addEventListener('abort', end, { once: true });
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  const release = () => {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  };
  return { signal: ending.signal, release };
}

/** Resolves with the result of `work`, or rejects as soon as the signal aborts. Removes its listener from the signal. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Result | Promise<Result>): Promise<Result> {
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
