import { EvaluatorProcess, type JobResult } from './evaluator-process';
import type { EvaluatorJob } from './jobs';

export interface EvaluationPoolOptions {
  /** Number of processes for jobs within their usual time. */
  size: number;
  /** Memory of one evaluation in addition to its data, in bytes. */
  memoryBytes: number;
  /** Idle processes end after this time. Default: a minute */
  idleMs?: number;
}

/** A waiting or running job. */
interface EvaluationTask {
  workspaceId: string;
  job: EvaluatorJob;
  texts: (string | Buffer)[];
  resolve(result: JobResult): void;
  /** Its process, once it runs. */
  evaluator?: EvaluatorProcess;
  isCancelled: boolean;
  /** Set once it is cancelled: kills its process, unless the job ends before. */
  kill?: NodeJS.Timeout;
  isRepeat?: boolean;
}

/** A job that runs longer than this no longer counts against the pool: another process takes its place. */
const LONG_JOB_MS = 500;
/**
 * A cancelled job may run on for this time: most end sooner, and killing its process would cost the start of another
 * one.
 */
const CANCEL_GRACE_MS = 250;
const IDLE_PROCESS_MS = 60_000;
/** Maximum number of waiting jobs of one workspace. */
export const MAX_WAITING_EVALUATIONS = 10_000;

const CANCELLED_RESULT: JobResult = {
  ok: false,
  failure: { code: 'CANCELLED', message: 'The run was stopped.' },
  texts: [],
};
const POOL_BUSY_RESULT: JobResult = {
  ok: false,
  failure: {
    code: 'EVALUATION_BUSY',
    message: `More than ${MAX_WAITING_EVALUATIONS} evaluations of the workspace are waiting.`,
  },
  texts: [],
};

/**
 * A pool of evaluator processes, shared by all workspaces. Jobs are scheduled round robin by workspace, and a workspace
 * has at most half of the processes at a time. Long jobs get processes beyond the pool's size, up to as many again.
 */
export class EvaluationPool {
  private readonly processes = new Set<EvaluatorProcess>();
  private readonly idleSince = new Map<EvaluatorProcess, number>();
  /** Waiting tasks by workspace; the order of the keys is the order of their turns. */
  private readonly waiting = new Map<string, EvaluationTask[]>();
  private readonly running = new Set<EvaluationTask>();
  private readonly long = new Set<EvaluationTask>();
  private readonly runningCounts = new Map<string, number>();
  private sweeper: NodeJS.Timeout | undefined;
  private isClosed = false;

  private readonly idleMs: number;

  constructor(private readonly options: EvaluationPoolOptions) {
    this.idleMs = options.idleMs ?? IDLE_PROCESS_MS;
  }

  /**
   * Runs a job for a workspace. Never rejects. When `signal` is aborted, the job is dropped, or its process is killed a
   * moment later.
   */
  run(workspaceId: string, job: EvaluatorJob, texts: (string | Buffer)[], signal?: AbortSignal): Promise<JobResult> {
    if (signal?.aborted) return Promise.resolve(CANCELLED_RESULT);
    return new Promise((resolve) => {
      const task: EvaluationTask = { workspaceId, job, texts, isCancelled: false, resolve };
      const queue = this.waiting.get(workspaceId) ?? [];
      if (queue.length >= MAX_WAITING_EVALUATIONS) return resolve(POOL_BUSY_RESULT);
      queue.push(task);
      this.waiting.set(workspaceId, queue);
      if (signal) {
        const cancel = () => this.cancel(task);
        signal.addEventListener('abort', cancel, { once: true });
        task.resolve = (result) => {
          signal.removeEventListener('abort', cancel);
          resolve(result);
        };
      }
      this.assignTasks();
    });
  }

  /** Process ids, for the log and for tests. */
  get pids(): number[] {
    return [...this.processes].flatMap(({ pid }) => pid ?? []);
  }

  /** Numbers for metrics. */
  get stats(): { processes: number; running: number; waiting: number } {
    let waiting = 0;
    for (const queue of this.waiting.values()) waiting += queue.length;
    return { processes: this.processes.size, running: this.running.size, waiting };
  }

  /** Ends all processes. Running jobs fail. */
  close(): void {
    this.isClosed = true;
    clearInterval(this.sweeper);
    for (const queue of this.waiting.values()) for (const task of queue) task.resolve(CANCELLED_RESULT);
    this.waiting.clear();
    for (const evaluator of this.processes) evaluator.kill();
  }

  private cancel(task: EvaluationTask): void {
    task.isCancelled = true;
    const { evaluator } = task;
    if (evaluator) {
      task.kill = setTimeout(() => evaluator.kill(), CANCEL_GRACE_MS);
      return task.resolve(CANCELLED_RESULT);
    }
    const queue = this.waiting.get(task.workspaceId) ?? [];
    const at = queue.indexOf(task);
    if (at >= 0) queue.splice(at, 1);
    if (queue.length === 0) this.waiting.delete(task.workspaceId);
    task.resolve(CANCELLED_RESULT);
  }

  /** Assigns waiting tasks to free processes while there are both. */
  private assignTasks(): void {
    while (!this.isClosed && this.running.size - this.long.size < this.options.size) {
      const task = this.takeTask();
      if (!task) return;
      const evaluator = this.freeProcess();
      void this.perform(task, evaluator);
    }
  }

  /**
   * The next task of the first workspace that may have another process; the workspace moves to the end of the round.
   */
  private takeTask(): EvaluationTask | undefined {
    const share = Math.max(1, Math.floor(this.options.size / 2));
    for (const [workspaceId, queue] of this.waiting) {
      if ((this.runningCounts.get(workspaceId) ?? 0) >= share) continue;
      const task = queue.shift();
      this.waiting.delete(workspaceId);
      if (queue.length > 0) this.waiting.set(workspaceId, queue);
      if (task) return task;
    }
    return undefined;
  }

  private freeProcess(): EvaluatorProcess {
    for (const evaluator of this.idleSince.keys()) {
      this.idleSince.delete(evaluator);
      if (evaluator.isFree) return evaluator;
    }
    return this.spawn();
  }

  private spawn(): EvaluatorProcess {
    const evaluator = new EvaluatorProcess(this.options.memoryBytes, (endedProcess) => {
      this.processes.delete(endedProcess);
      this.idleSince.delete(endedProcess);
    });
    this.processes.add(evaluator);
    this.sweeper ??= setInterval(() => this.endIdleProcesses(), this.idleMs / 2).unref();
    return evaluator;
  }

  private async perform(task: EvaluationTask, evaluator: EvaluatorProcess): Promise<void> {
    const { workspaceId } = task;
    task.evaluator = evaluator;
    this.running.add(task);
    this.runningCounts.set(workspaceId, (this.runningCounts.get(workspaceId) ?? 0) + 1);
    const timer = setTimeout(() => this.markLong(task), LONG_JOB_MS);
    const result = await evaluator.run(task.job, task.texts);
    clearTimeout(timer);
    clearTimeout(task.kill);
    const isRepeated = !result.ok && result.failure.code === 'EVALUATION_ENDED' && !task.isCancelled && !task.isRepeat;
    this.running.delete(task);
    this.long.delete(task);
    const left = (this.runningCounts.get(workspaceId) ?? 1) - 1;
    if (left > 0) this.runningCounts.set(workspaceId, left);
    else this.runningCounts.delete(workspaceId);
    if (evaluator.isFree) this.idleSince.set(evaluator, performance.now());
    task.evaluator = undefined;
    if (isRepeated && !this.isClosed) this.repeat(task);
    else task.resolve(task.isCancelled ? CANCELLED_RESULT : result);
    this.assignTasks();
  }

  /** Evaluations have no side effects: a job whose process was killed from outside is retried. */
  private repeat(task: EvaluationTask): void {
    task.isRepeat = true;
    this.waiting.set(task.workspaceId, [task, ...(this.waiting.get(task.workspaceId) ?? [])]);
  }

  private markLong(task: EvaluationTask): void {
    if (this.long.size >= this.options.size || !this.running.has(task)) return;
    this.long.add(task);
    this.assignTasks();
  }

  private endIdleProcesses(): void {
    for (const [evaluator, since] of this.idleSince) {
      if (performance.now() - since < this.idleMs) continue;
      this.idleSince.delete(evaluator);
      evaluator.kill();
    }
  }
}
