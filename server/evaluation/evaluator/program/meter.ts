import { readFileSync } from 'node:fs';
import { getHeapStatistics } from 'node:v8';
import type { JobFailure, EvaluationLimits } from '../jobs';
import { BYTES_PER_MIB } from '@/contract/units';

/** Limit of wall-clock time, as a multiple of the CPU limit, for busy machines. */
const CLOCK_TIME_FACTOR = 40;

/** CPU time of this thread in milliseconds; the wall-clock time where the system does not report it. */
export function threadCpuMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** An evaluation that exceeds a limit. The message names the limit. */
export class LimitExceededError extends Error {
  constructor(
    readonly code: 'EVALUATION_TIMEOUT' | 'EVALUATION_MEMORY',
    message: string,
  ) {
    super(message);
  }
}

/** The job has left the process in an unusable state: it ends after the failure is sent. */
export class ProcessUnusableError extends Error {
  constructor(readonly failure: JobFailure) {
    super(failure.message);
  }
}

const usedHeapBytes = () => getHeapStatistics().used_heap_size;
/** Evaluator processes run with --expose-gc. */
const runGarbageCollector = (globalThis as { gc?: () => void }).gc ?? (() => undefined);

/** Measures one evaluation against its limits of processor time and memory. */
export class EvaluationMeter {
  private readonly startedAt = performance.now();
  private readonly startCpuMs = threadCpuMs();
  private heapLimit: number;
  private nextCheckAt: number;
  private isOver = false;

  constructor(private readonly limits: EvaluationLimits) {
    this.nextCheckAt = this.startedAt + limits.cpuMs;
    this.heapLimit = usedHeapBytes() + limits.memoryBytes;
  }

  /** Whether the time is used up. Checks the clock first, which is cheaper. */
  isLate(): boolean {
    const now = performance.now();
    if (this.isOver || now < this.nextCheckAt) return this.isOver;
    const { cpuMs } = this.limits;
    const left = cpuMs - (threadCpuMs() - this.startCpuMs);
    this.isOver = left <= 0 || now - this.startedAt >= cpuMs * CLOCK_TIME_FACTOR;
    this.nextCheckAt = now + Math.max(left, 1);
    return this.isOver;
  }

  /** Throws LimitExceeded. */
  check(): void {
    if (this.isLate()) throw this.timeFailure();
    if (usedHeapBytes() <= this.heapLimit) return;
    // Most of it may be garbage.
    runGarbageCollector();
    if (usedHeapBytes() > this.heapLimit) throw this.memoryFailure();
    this.heapLimit += this.limits.memoryBytes / 2;
  }

  timeFailure(): LimitExceededError {
    return new LimitExceededError('EVALUATION_TIMEOUT', timeLimitMessage(this.limits));
  }

  memoryFailure(): LimitExceededError {
    return new LimitExceededError('EVALUATION_MEMORY', memoryLimitMessage(this.limits));
  }
}

export const timeLimitMessage = ({ cpuMs }: EvaluationLimits) =>
  `The evaluation took more than ${cpuMs} ms of CPU time`;
export const memoryLimitMessage = ({ memoryBytes }: EvaluationLimits) =>
  `The evaluation needed more than ${Math.round(memoryBytes / BYTES_PER_MIB)} MiB of memory`;
