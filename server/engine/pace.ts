import { setImmediate as breathe } from 'node:timers/promises';

/** Work that yields wherever it has taken long, so that everything else that waits for the processor has its turn. */
export type Paced<Result> = Generator<undefined, Result, undefined>;

/** Does it here and now; only work that yields takes a promise. */
export function paced<Result>(work: Paced<Result>): Result | Promise<Result> {
  const step = work.next();
  return step.done ? step.value : inTurns(work);
}

async function inTurns<Result>(work: Paced<Result>): Promise<Result> {
  for (;;) {
    await breathe();
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** How long work may keep the processor before everything else has its turn. */
const BREATH_MS = 1;

/** For loops: now and then everything else has its turn. */
export class Breath {
  private since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.since > BREATH_MS;
  }

  async take(): Promise<void> {
    await breathe();
    this.since = performance.now();
  }
}

/** The longest a timer of the platform may be set to. */
const MAX_TIMER_MS = 86_400_000;

/** How long a timer for this moment runs. */
export const timerMs = (at: Date): number => Math.min(Math.max(at.getTime() - Date.now(), 0), MAX_TIMER_MS);
