import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import type { NotifyListener } from '@/server/platform/db/listen';
import { serviceLog } from '@/server/platform/log';
import type { RunCheckpoint, CheckpointResult } from '../store/checkpoint';
import { readRunEnds } from './run-ends';
import {
  awaitsResponse,
  awaitsOutput,
  WaitingCaller,
  type CallerWaitResult,
  type WaitingCallerRequest,
} from './waiting-caller';

declare module '@/server/platform/runtime' {
  interface Runtime {
    /** Callers of this process that wait for runs. */
    waitingCallers?: WaitingCallerRegistry;
  }
}

/**
 * Limits of one process: the callers that wait, and the bytes of their requests, which stay in memory while they wait.
 */
export const MAX_WAITING_CALLERS = 1000;
export const MAX_WAITING_REQUEST_BYTES = 64 * 1024 * 1024;
/** The parts of these limits that one workspace and one sender may use. */
const MAX_WORKSPACE_SHARE = 0.5;
const MAX_SENDER_SHARE = 0.02;
/** Safety net for lost notifications: how often the rows of runs in other processes are read. */
const RUN_ENDS_POLL_MS = 1000;
/** The subscription is closed after this time without a caller that needs it. */
const ENDS_SUBSCRIPTION_IDLE_MS = 10_000;
/** Runs that are read by one statement. */
const MAX_RUNS_PER_READ = 50;

interface CallerUsage {
  readonly callers: number;
  readonly bytes: number;
}

const EMPTY_CALLER_USAGE: CallerUsage = { callers: 0, bytes: 0 };
const addCallerUsage = ({ callers, bytes }: CallerUsage, moreCallers: number, moreBytes: number): CallerUsage => ({
  callers: callers + moreCallers,
  bytes: bytes + moreBytes,
});

/** The keys under which the usage of a caller is counted. */
const callerUsageKeys = ({ workspaceId, sender }: Pick<WaitingCallerRequest, 'workspaceId' | 'sender'>): string[] =>
  sender === undefined ? [workspaceId] : [workspaceId, sender];

const hasReachedShare = (share: CallerUsage, bytes: number, part: number): boolean =>
  share.callers >= MAX_WAITING_CALLERS * part || share.bytes + bytes > MAX_WAITING_REQUEST_BYTES * part;

/**
 * The callers of this process that wait for runs in any process. A run of this process reports each commit directly;
 * for all other runs, the notifications of commits say which rows to read, and a poll is the safety net.
 */
export class WaitingCallerRegistry {
  private readonly all = new Set<WaitingCaller>();
  private readonly byExecution = new Map<string, Set<WaitingCaller>>();
  private readonly shares = new Map<string, CallerUsage>();
  private total: CallerUsage = EMPTY_CALLER_USAGE;
  private readonly stale = new Set<string>();
  private isReading = false;
  private isClosed = false;
  private subscription: Promise<NotifyListener | undefined> | undefined;
  private isSubscribed = false;
  private neededAt = 0;
  private poll: NodeJS.Timeout | undefined;

  /** `isRunningHere`: whether a worker of this process has a run now. */
  constructor(private readonly isRunningHere: (executionId: string) => boolean) {}

  /** Registers a caller. Returns undefined if too many callers already wait. */
  admit(request: WaitingCallerRequest): WaitingCaller | undefined {
    const { workspaceId, sender, bytes } = request;
    const isFull =
      hasReachedShare(this.total, bytes, 1) ||
      hasReachedShare(this.currentUsage(workspaceId), bytes, MAX_WORKSPACE_SHARE) ||
      (sender !== undefined && hasReachedShare(this.currentUsage(sender), bytes, MAX_SENDER_SHARE));
    if (this.isClosed || isFull) return undefined;
    const caller = new WaitingCaller(this, request);
    // It has disconnected already.
    if (caller.isFinished) return caller;
    this.all.add(caller);
    for (const key of callerUsageKeys(request)) this.shares.set(key, addCallerUsage(this.currentUsage(key), 1, bytes));
    this.total = addCallerUsage(this.total, 1, bytes);
    return caller;
  }

  private currentUsage(key: string): CallerUsage {
    return this.shares.get(key) ?? EMPTY_CALLER_USAGE;
  }

  get count(): number {
    return this.all.size;
  }

  /**
   * Tells the callers of a run what this process has just stored. `isResumed`: another process may have stored its
   * response.
   */
  notifyCallers(
    { executionId, callerResponse: answer, final }: RunCheckpoint,
    written: CheckpointResult,
    isResumed: boolean,
  ): void {
    const callers = this.byExecution.get(executionId);
    if (!callers) return;
    if (isResumed) return this.read([executionId]);
    const isCompleted = written === 'written' && final?.error === null;
    for (const caller of callers) {
      if (answer && awaitsResponse(caller)) caller.finish({ kind: 'answer', response: answer });
      else if (final) caller.finish({ kind: 'end', isCompleted, output: isCompleted ? final.json : null });
    }
  }

  follow(caller: WaitingCaller): void {
    const { executionId = '' } = caller;
    const others = this.byExecution.get(executionId);
    if (others) others.add(caller);
    else this.byExecution.set(executionId, new Set([caller]));
  }

  /** Watches the run of a caller. `isNew`: the caller was registered before the run was stored. */
  watch({ executionId = '' }: WaitingCaller, isNew: boolean): void {
    this.poll ??= setInterval(() => this.tick(), RUN_ENDS_POLL_MS).unref();
    const isHere = this.isRunningHere(executionId);
    if (!isHere) this.subscribe();
    // A new run cannot have ended before its caller was registered, but nothing reports its end without a subscription.
    if (!isNew || (!isHere && !this.isSubscribed)) this.read([executionId]);
  }

  /** Removes a finished caller, or detaches a caller from its run before it gets another one. */
  remove(caller: WaitingCaller): void {
    const { executionId, bytes } = caller;
    if (executionId !== undefined) {
      const others = this.byExecution.get(executionId);
      others?.delete(caller);
      if (others?.size === 0) this.byExecution.delete(executionId);
    }
    if (!caller.isFinished || !this.all.delete(caller)) return;
    for (const key of callerUsageKeys(caller)) {
      const share = addCallerUsage(this.currentUsage(key), -1, -bytes);
      if (share.callers > 0) this.shares.set(key, share);
      else this.shares.delete(key);
    }
    this.total = addCallerUsage(this.total, -1, -bytes);
  }

  /** The process stops: its callers are told, and no more are admitted. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const caller of this.all) caller.finish({ kind: 'stopping' });
    clearInterval(this.poll);
    await this.unsubscribe();
  }

  private subscribe(): void {
    this.neededAt = performance.now();
    this.subscription ??= currentDispatcher()
      .watch({
        onChanged: (ids) => this.read(ids.filter((id) => this.byExecution.has(id) && !this.isRunningHere(id))),
        onPresence: () => undefined,
        onWebhookCalls: () => undefined,
        onGap: () => this.readAll(),
      })
      .then(
        (listener) => {
          this.isSubscribed = true;
          this.readAll();
          return listener;
        },
        (error: unknown) => {
          // The poll takes over and subscribes again.
          serviceLog().warn({ err: error }, 'the ends of runs can not be watched');
          this.subscription = undefined;
          return undefined;
        },
      );
  }

  private async unsubscribe(): Promise<void> {
    const { subscription } = this;
    this.subscription = undefined;
    this.isSubscribed = false;
    await (await subscription)?.close();
  }

  private tick(): void {
    const elsewhere = [...this.byExecution.keys()].filter((id) => !this.isRunningHere(id));
    if (elsewhere.length > 0) {
      this.subscribe();
      this.read(elsewhere);
    } else if (this.subscription && performance.now() - this.neededAt > ENDS_SUBSCRIPTION_IDLE_MS) {
      void this.unsubscribe().catch((error: unknown) =>
        serviceLog().warn({ err: error }, 'a subscription was not closed'),
      );
    }
    if (this.all.size > 0 || this.subscription) return;
    clearInterval(this.poll);
    this.poll = undefined;
  }

  private readAll(): void {
    this.read([...this.byExecution.keys()].filter((id) => !this.isRunningHere(id)));
  }

  /** Reads runs. While a statement is in progress, further requests are collected for the next statement. */
  private read(executionIds: string[]): void {
    for (const id of executionIds) this.stale.add(id);
    if (this.isReading || this.stale.size === 0) return;
    this.isReading = true;
    this.readStale()
      .catch((error: unknown) => serviceLog().warn({ err: error }, 'the ends of runs could not be read'))
      .finally(() => (this.isReading = false));
  }

  private async readStale(): Promise<void> {
    while (this.stale.size > 0 && !this.isClosed) {
      const ids = [...this.stale].slice(0, MAX_RUNS_PER_READ);
      for (const id of ids) this.stale.delete(id);
      const callers = ids.flatMap((id) => [...(this.byExecution.get(id) ?? [])]);
      const withOutput = new Set(
        callers.flatMap((caller) => (awaitsOutput(caller) && caller.executionId ? [caller.executionId] : [])),
      );
      for (const { id, status, output, answer } of await readRunEnds(ids, [...withOutput])) {
        const isFinal = status === 'completed' || status === 'failed';
        const end: CallerWaitResult = { kind: 'end', isCompleted: status === 'completed', output };
        for (const caller of this.byExecution.get(id) ?? []) {
          if (answer && awaitsResponse(caller)) caller.finish({ kind: 'answer', response: answer });
          // A caller that was added after the statement began may need the output, which the statement did not read.
          else if (isFinal && (!awaitsOutput(caller) || withOutput.has(id))) caller.finish(end);
          else if (isFinal) this.stale.add(id);
        }
      }
    }
  }
}
