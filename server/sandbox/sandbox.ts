import path from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PATIENCE } from './processor-time.mjs';

/** What the code sees, as values; they cross as JSON. */
export interface Program {
  /** The body of `async (input, nodes, execution)`; what it returns is the result. */
  source: string;
  input: unknown;
  nodes: unknown;
  execution: unknown;
  /** Longest time on the processor. */
  cpuMs?: number;
  memoryBytes?: number;
}

export type Finished = { logs: { level: 'info' | 'warn' | 'error'; message: string }[] } & (
  | { ok: true; json: string }
  | { ok: false; code: string; message: string }
);

interface Task {
  job: Record<string, unknown> & { id: number };
  limitMs: number;
  ready(): Promise<void>;
  resolve(finished: Finished): void;
}

const CPU_MS = 5000;
const MEMORY_BYTES = 64 * 1024 * 1024;
/** How long a thread may be over its time before it is ended from outside. */
const GRACE_MS = 1000;
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** One thread and the task that it works on. */
class Thread {
  private worker: Worker | undefined;
  private task: Task | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly onFree: () => void) {}

  get isFree() {
    return this.task === undefined;
  }

  async start(task: Task) {
    this.task = task;
    await task.ready();
    this.worker ??= this.spawn();
    this.worker.ref();
    this.worker.postMessage(task.job);
    this.timer = setTimeout(
      () => {
        void this.worker?.terminate();
        this.worker = undefined;
        this.finish({
          ok: false,
          code: 'CODE_TIMEOUT',
          message: `The code ran for more than ${task.limitMs} ms.`,
          logs: [],
        });
      },
      task.limitMs * PATIENCE + GRACE_MS,
    );
  }

  async stop() {
    await this.worker?.terminate();
  }

  private spawn(): Worker {
    const worker = new Worker(path.join(process.cwd(), 'server/sandbox/thread.mjs'), {
      env: {},
      stdin: false,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    worker.on('message', ({ isSpent, ...finished }: Finished & { id: number; isSpent?: true }) => {
      // It is about to end: the next task, which has nothing to do with that, gets another one.
      if (isSpent && this.worker === worker) this.worker = undefined;
      if (finished.id === this.task?.job.id) this.finish(finished);
    });
    const died = () => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.finish({ ok: false, code: 'CODE_MEMORY', message: 'The code used up its sandbox.', logs: [] });
    };
    worker.on('error', died);
    worker.on('exit', died);
    return worker;
  }

  private finish(finished: Finished) {
    clearTimeout(this.timer);
    const task = this.task;
    this.task = undefined;
    // An idle thread doesn't keep the process alive.
    this.worker?.unref();
    task?.resolve(finished);
    this.onFree();
  }
}

const queue: Task[] = [];
const threads: Thread[] = Array.from({ length: THREADS }, () => new Thread(next));
let lastId = 0;

function next() {
  for (const thread of threads) {
    const task = thread.isFree && queue.shift();
    if (task) void thread.start(task);
  }
}

/**
 * Runs a user's JavaScript: no I/O, no access to this process, bounded in memory and time. Never throws; what went
 * wrong is in the answer (CODE_ERROR, CODE_TIMEOUT, CODE_MEMORY, OUTPUT_TOO_LARGE). A task whose `signal` is
 * aborted before its turn is dropped. When its turn has come it still waits for `ready`, if given.
 */
export function runProgram(
  program: Program,
  signal?: AbortSignal,
  ready: () => Promise<void> = () => Promise.resolve(),
): Promise<Finished> {
  const { source, input, nodes, execution, cpuMs = CPU_MS, memoryBytes = MEMORY_BYTES } = program;
  const text = (value: unknown) => JSON.stringify(value) ?? 'null';
  return new Promise((resolve) => {
    const job = {
      id: ++lastId,
      source,
      input: text(input),
      nodes: text(nodes),
      execution: text(execution),
      cpuMs,
      memoryBytes,
    };
    const task: Task = { job, limitMs: cpuMs, ready, resolve };
    queue.push(task);
    signal?.addEventListener(
      'abort',
      () => {
        const at = queue.indexOf(task);
        if (at >= 0) {
          queue.splice(at, 1);
          resolve({ ok: false, code: 'CANCELLED', message: 'The run was stopped.', logs: [] });
        }
      },
      { once: true },
    );
    next();
  });
}

/** Ends all threads; for an orderly stop. */
export const stopSandbox = () => Promise.all(threads.map((thread) => thread.stop()));
