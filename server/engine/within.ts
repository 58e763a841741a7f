import { NodeFailure } from '../nodes/node';

/**
 * A signal that ends with `outer` or when the time is over. Bound by hand: a signal made by AbortSignal.any keeps what
 * listens to it, and all that hangs on that, for good.
 */
export function bounded(
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

/** What `work` comes to, or a failure as soon as the signal says stop. Leaves nothing behind at the signal. */
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
