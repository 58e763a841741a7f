import { setImmediate as nextTurn } from 'node:timers/promises';
import { runtimeIfSet } from '@/server/platform/runtime';

export interface RepeatingLoop {
  /** Starts the loop, or runs the action at once; during a round, requests one more round after it. */
  wake: () => void;
  /** Resolves when no round is in progress or requested. */
  whenIdle(): Promise<void>;
  /** Stops the loop. Resolves when no round is in progress. */
  stop(): Promise<void>;
}

/**
 * Repeats an action from the first call of `now` on, never concurrently. `action` may return the delay until the next
 * round in milliseconds; otherwise, and after a failure, the delay is `everyMs`.
 */
export function repeatAction(
  action: () => Promise<number | void>,
  everyMs: number,
  onError: (error: unknown) => void,
): RepeatingLoop {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isRequestedAgain = false;
  let isStopped = false;

  async function round(): Promise<void> {
    let waitMs = everyMs;
    // Coalesces all calls of `wake` in this turn of the event loop into one round.
    await nextTurn();
    do {
      isRequestedAgain = false;
      try {
        waitMs = (await action()) ?? everyMs;
      } catch (error) {
        onError(error);
        waitMs = everyMs;
      }
    } while (isRequestedAgain && !isStopped);
    running = undefined;
    if (!isStopped) timer = setTimeout(now, waitMs);
  }

  function now(): void {
    if (isStopped) return;
    if (running) {
      isRequestedAgain = true;
      return;
    }
    clearTimeout(timer);
    // A request may cause a round, which works for others as well.
    const tracing = runtimeIfSet()?.tracing;
    running = tracing ? tracing.outside(round) : round();
  }

  return {
    wake: now,
    whenIdle: async () => running,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
