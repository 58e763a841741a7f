/**
 * Right before an action outside begins: undefined, it may; a promise that resolves once it may; it rejects if it may
 * not any more.
 */
export type ActionStartGuard = () => Promise<void> | undefined;

const startGuards = new WeakMap<AbortSignal, ActionStartGuard>();

/**
 * From now on all that begins outside under `signal` asks first: each request of a node, each page and each retry. A
 * worker that was frozen does not know that another has its runs, and must not send what is next.
 */
export const guardStartsUnder = (signal: AbortSignal, guard: ActionStartGuard): void =>
  void startGuards.set(signal, guard);

/** Asks whether an action under `signal` may begin. A promise only where it has to wait. */
export const awaitPermittedStart: (signal: AbortSignal | undefined) => ReturnType<ActionStartGuard> = (signal) =>
  signal && startGuards.get(signal)?.();
