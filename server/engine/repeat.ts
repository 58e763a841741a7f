import { setImmediate as breathe } from 'node:timers/promises';

export interface Repeated {
  /** Begins, or does it at once; if it is being done right now, once more after that. */
  now: () => void;
  /** Resolves when nothing of it is under way, nor asked for. */
  settled(): Promise<void>;
  /** Resolves when nothing of it is under way any more. */
  stop(): Promise<void>;
}

/**
 * Does something again and again once `now` was first called, never twice at a time. `action` may answer how long to wait until the next time, in
 * milliseconds; else, and after a failure, it is `everyMs`.
 */
export function repeat(
  action: () => Promise<number | void>,
  everyMs: number,
  onError: (error: unknown) => void,
): Repeated {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAgain = false;
  let isStopped = false;

  async function round(): Promise<void> {
    let waitMs = everyMs;
    // Whatever else calls `now` in this turn of the event loop is served by the same round.
    await breathe();
    do {
      isAgain = false;
      try {
        waitMs = (await action()) ?? everyMs;
      } catch (error) {
        onError(error);
        waitMs = everyMs;
      }
    } while (isAgain && !isStopped);
    running = undefined;
    if (!isStopped) timer = setTimeout(now, waitMs);
  }

  function now(): void {
    if (isStopped) return;
    if (running) {
      isAgain = true;
      return;
    }
    clearTimeout(timer);
    running = round();
  }

  return {
    now,
    settled: async () => running,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
