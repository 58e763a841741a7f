/** Right before an action outside begins: undefined, it may; a promise that resolves once it may; it rejects if it may not any more. */
export type StartGuard = () => Promise<void> | undefined;

const guards = new WeakMap<AbortSignal, StartGuard>();

/**
 * From now on all that begins outside under `signal` asks first: each request of a node, each page and each retry. A worker that was frozen does
 * not know that another has its runs, and must not send what is next.
 */
export const guardStarts = (signal: AbortSignal, guard: StartGuard): void => void guards.set(signal, guard);

/** Asks whether an action under `signal` may begin. A promise only where it has to wait. */
export const awaitStart: (signal: AbortSignal | undefined) => ReturnType<StartGuard> = (signal) =>
  signal && guards.get(signal)?.();
