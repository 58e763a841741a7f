import { setImmediate as breathe } from 'node:timers/promises';

/** Maximum time in milliseconds that work may block the event loop. */
const MAX_BLOCK_MS = 1;

/** For loops: yields to the event loop from time to time. */
export class YieldTimer {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since > MAX_BLOCK_MS;
  }

  async take(): Promise<void> {
    await breathe();
    this.since = performance.now();
  }
}

/** The maximum delay of a timer. */
const MAX_TIMER_MS = 86_400_000;

/** The delay of a timer for this moment. */
export const timerMs = (at: Date): number => Math.min(Math.max(at.getTime() - Date.now(), 0), MAX_TIMER_MS);
