import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { Failure, Limits } from '../jobs';

/** Limit of wall-clock time, as a multiple of the CPU limit, for busy machines. */
const PATIENCE = 40;

/** CPU time of this thread in milliseconds; the wall-clock time where the system does not report it. */
export function processorTime(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** An evaluation that exceeds a limit. The message names the limit. */
export class LimitExceeded extends Error {
  constructor(
    readonly code: 'EVALUATION_TIMEOUT' | 'EVALUATION_MEMORY',
    message: string,
  ) {
    super(message);
  }
}

/** The job has left the process in an unusable state: it ends after the failure is sent. */
export class Spent extends Error {
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

const MIB = 1024 * 1024;

const usedHeap = () => getHeapStatistics().used_heap_size;
/** Evaluator processes run with --expose-gc. */
const collectGarbage = (globalThis as { gc?: () => void }).gc ?? (() => undefined);

/** Measures one evaluation against its limits of processor time and memory. */
export class Meter {
  private readonly startedAt = performance.now();
  private readonly begunOnProcessor = processorTime();
  private heapLimit: number;
  private nextLook: number;
  private isOver = false;

  constructor(private readonly limits: Limits) {
    this.nextLook = this.startedAt + limits.cpuMs;
    this.heapLimit = usedHeap() + limits.memoryBytes;
  }

  /** Whether the time is used up. Checks the clock first, which is cheaper. */
  isLate(): boolean {
    const now = performance.now();
    if (this.isOver || now < this.nextLook) return this.isOver;
    const { cpuMs } = this.limits;
    const left = cpuMs - (processorTime() - this.begunOnProcessor);
    this.isOver = left <= 0 || now - this.startedAt >= cpuMs * PATIENCE;
    this.nextLook = now + Math.max(left, 1);
    return this.isOver;
  }

  /** Throws LimitExceeded. */
  check(): void {
    if (this.isLate()) throw this.late();
    if (usedHeap() <= this.heapLimit) return;
    // Most of it may be garbage.
    collectGarbage();
    if (usedHeap() > this.heapLimit) throw this.tooMuch();
    this.heapLimit += this.limits.memoryBytes / 2;
  }

  late(): LimitExceeded {
    return new LimitExceeded('EVALUATION_TIMEOUT', timeMessage(this.limits));
  }

  tooMuch(): LimitExceeded {
    return new LimitExceeded('EVALUATION_MEMORY', memoryMessage(this.limits));
  }
}

export const timeMessage = ({ cpuMs }: Limits) => `The evaluation took more than ${cpuMs} ms of CPU time`;
export const memoryMessage = ({ memoryBytes }: Limits) =>
  `The evaluation needed more than ${Math.round(memoryBytes / MIB)} MiB of memory`;
