/**
 * A signal that aborts with `outer`, or after the time. It has a timer of its own: AbortSignal.any does not hold the
 * signals that it combines, so that Node.js 20 collects one of AbortSignal.timeout as garbage, and its time never ends.
 */
export function createLimitedSignal(outer: AbortSignal, limitMs: number): { signal: AbortSignal; release: () => void } {
  const ending = new AbortController();
  const end = () => ending.abort(outer.reason);
  if (outer.aborted) end();
  outer.addEventListener('abort', end, { once: true });
  const timer = setTimeout(end, limitMs);
  const release = () => {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  };
  return { signal: ending.signal, release };
}
