import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Duplex } from 'node:stream';
import { evaluatorArguments } from './evaluator-options';
import { encodeFrame, FrameReader, type ReceivedMessage } from './frames';
import type { EvaluatorMessage, JobFailure, EvaluatorJob } from './jobs';
import { BYTES_PER_MIB } from '@/contract/units';

/**
 * The heap of a process in bytes: the memory limit of an evaluation, plus its data. V8 aborts a process that needs
 * more; only this process ends.
 */
export const processHeapBytes = (memoryBytes: number): number => 192 * BYTES_PER_MIB + memoryBytes;

/** Lower priority than the service and the database, so that evaluations use only the CPU time that these leave. */
const EVALUATOR_NICENESS = 5;

/**
 * CPU time in milliseconds beyond its limit before a job's process is killed. Usually the process stops the job itself.
 */
const KILL_GRACE_MS = 150;
/** Limit of wall-clock time: a multiple of the CPU limit, with a minimum, for busy machines. */
const WALL_CLOCK_FACTOR = 40;
const MIN_JOB_CLOCK_MS = 15_000;
/** Interval in milliseconds at which the memory of a job with a limit of it is read. */
const MEMORY_CHECK_MS = 50;
/** Timeout of a process's start. */
const START_TIMEOUT_MS = 60_000;

/** The outcome of a job. */
export type JobResult =
  | { ok: true; message: ReceivedMessage<Extract<EvaluatorMessage, { kind: 'done' }>> }
  | { ok: false; failure: JobFailure; texts: Buffer[] };

interface RunningJob {
  job: EvaluatorJob;
  resolve(result: JobResult): void;
  /** CPU time of the process at the start of this part of the job, in milliseconds. */
  cpuBefore: number;
  begunAt: number;
}

/** How failures of a job are named, and what its work is called in messages. */
const JOB_WORDINGS: Partial<Record<EvaluatorJob['kind'], { prefix: string; subject: string; ran: string }>> = {
  code: { prefix: 'CODE', subject: 'The code', ran: 'ran for' },
  convert: { prefix: 'CONVERT', subject: 'The conversion', ran: 'took' },
};
const jobWording = ({ kind }: EvaluatorJob) =>
  JOB_WORDINGS[kind] ?? { prefix: 'EVALUATION', subject: 'The evaluation', ran: 'took' };

const memoryLimitFailure = (job: EvaluatorJob, bytes: number): JobResult => {
  const { prefix, subject } = jobWording(job);
  return failedJob(
    `${prefix}_MEMORY`,
    `${subject} needed more than ${Math.round(bytes / BYTES_PER_MIB)} MiB of memory.`,
  );
};

const failedJob = (code: string, message: string): JobResult => ({ ok: false, failure: { code, message }, texts: [] });

/** One evaluator process: does one job at a time, and is killed when a job exceeds its limits. */
export class EvaluatorProcess {
  private readonly child: ChildProcess;
  private readonly socket: Duplex;
  private readonly reader = new FrameReader<EvaluatorMessage>();
  private running: RunningJob | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stderrTail = '';
  private isReady = false;
  private isKilled = false;
  private hasEnded = false;

  /** `onEnd`: called when the process has ended, for any reason. */
  constructor(
    memoryBytes: number,
    private readonly onEnd: (self: EvaluatorProcess) => void,
  ) {
    const heapBytes = processHeapBytes(memoryBytes);
    const options = evaluatorArguments(heapBytes, (flag) => process.allowedNodeEnvironmentFlags.has(flag));
    this.child = spawn(process.execPath, options, {
      // The service's environment is not passed on.
      env: {} as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.socket = this.child.stdio[3] as Duplex;
    this.socket.on('data', (chunk: Buffer) => this.reader.read(chunk).forEach((message) => this.receive(message)));
    this.socket.on('error', () => undefined);
    this.child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.stderrTail = (this.stderrTail + chunk.toString()).slice(-2000)),
    );
    this.child.once('error', () => this.end());
    this.child.once('exit', () => this.end());
    this.unrefChild();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get isFree(): boolean {
    return !this.running && !this.isKilled && !this.hasEnded;
  }

  /** Never rejects. A process does one job at a time: check `isFree` first. */
  run(job: EvaluatorJob, texts: (string | Buffer)[]): Promise<JobResult> {
    return new Promise((resolve) => {
      this.running = { job, resolve, cpuBefore: this.processorTime(), begunAt: performance.now() };
      this.child.ref();
      (this.socket as Duplex & { ref?: () => void }).ref?.();
      for (const part of encodeFrame({ header: job, texts })) this.socket.write(part);
      this.watch();
    });
  }

  /** Kills the process at once. Its current job fails. */
  kill(): void {
    this.isKilled = true;
    this.child.kill('SIGKILL');
  }

  private receive(message: ReceivedMessage<EvaluatorMessage>): void {
    const { running } = this;
    if (message.header.kind === 'ready') {
      this.isReady = true;
      this.lowerPriority();
    }
    if (!running) return;
    const { header } = message;
    if (header.kind === 'ready' || header.kind === 'progress') {
      running.cpuBefore = this.processorTime();
      running.begunAt = performance.now();
    } else if (header.kind === 'failed') {
      this.finish({ ok: false, failure: header.failure, texts: message.texts });
    } else {
      this.finish({ ok: true, message: { header, texts: message.texts } });
    }
  }

  private finish(result: JobResult): void {
    const { running } = this;
    clearTimeout(this.timer);
    this.running = undefined;
    this.unrefChild();
    running?.resolve(result);
  }

  /** An idle process does not keep the service alive. */
  private unrefChild(): void {
    this.child.unref();
    (this.socket as Duplex & { unref?: () => void }).unref?.();
    (this.child.stderr as (Duplex & { unref?: () => void }) | null)?.unref?.();
  }

  /** Kills the process when the current part of its job has used up its time, or its job its memory. */
  private watch(): void {
    const { running } = this;
    if (!running) return;
    const { job } = running;
    const { cpuMs, residentBytes } = job.limits;
    if (residentBytes !== undefined && this.residentBytes() > residentBytes) {
      this.kill();
      return this.finish(memoryLimitFailure(job, residentBytes));
    }
    const passed = performance.now() - running.begunAt;
    const left = this.isReady
      ? cpuMs + KILL_GRACE_MS - (this.processorTime() - running.cpuBefore)
      : START_TIMEOUT_MS - passed;
    const leftByClock = Math.max(cpuMs * WALL_CLOCK_FACTOR, MIN_JOB_CLOCK_MS) - passed;
    if (left > 0 && (leftByClock > 0 || !this.isReady)) {
      const nextMs = Math.min(left, cpuMs, residentBytes === undefined ? Infinity : MEMORY_CHECK_MS);
      this.timer = setTimeout(() => this.watch(), Math.max(10, nextMs));
      return;
    }
    const { prefix, subject, ran } = jobWording(job);
    this.kill();
    this.finish(failedJob(`${prefix}_TIMEOUT`, `${subject} ${ran} more than ${cpuMs} ms of CPU time.`));
  }

  /** Memory of the process in bytes; 0 where the system does not report it. */
  private residentBytes(): number {
    try {
      const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${this.child.pid}/status`, 'latin1')) ?? [];
      return Number(kib ?? 0) * 1024;
    } catch {
      return 0;
    }
  }

  /** CPU time of the process in milliseconds; the wall-clock time where the system does not report it. */
  private processorTime(): number {
    try {
      return Number(readFileSync(`/proc/${this.child.pid}/schedstat`, 'latin1').split(' ', 1)[0]) / 1e6;
    } catch {
      return performance.now();
    }
  }

  private end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    const { running } = this;
    if (running) {
      const { job } = running;
      const isOutOfMemory = /out of memory|allocation failed|invalid size error|heap limit/i.test(this.stderrTail);
      this.finish(
        isOutOfMemory
          ? memoryLimitFailure(job, job.limits.memoryBytes)
          : failedJob('EVALUATION_ENDED', `${jobWording(job).subject} was interrupted because its process ended.`),
      );
    }
    this.onEnd(this);
  }

  private lowerPriority(): void {
    try {
      if (this.child.pid) setPriority(this.child.pid, EVALUATOR_NICENESS);
    } catch {
      // Some containers forbid it; evaluations then share the CPU evenly.
    }
  }
}
