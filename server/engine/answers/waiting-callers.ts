import { dispatcher } from '@/server/dispatch/dispatcher';
import type { Listener } from '@/server/db/listen';
import { log } from '@/server/log';
import type { Checkpoint, Written } from '../store/checkpoint';
import { readEnds } from './ends';
import { takesAnswer, takesOutput, WaitingCaller, type CallerOutcome, type CallerRequest } from './waiting-caller';

declare module '@/server/runtime' {
  interface Runtime {
    /** Callers of this process that wait for runs. */
    waitingCallers?: WaitingCallers;
  }
}

/** Most callers that wait in one process, and most bytes of their requests, which stay in memory as long. */
export const MAX_WAITING_CALLERS = 1000;
export const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** What one workspace, and what one sender gets of it. */
const WORKSPACE_PART = 0.5;
const SENDER_PART = 0.02;
/** How often the rows of runs elsewhere are read, in case a notification was lost. */
const POLL_MS = 1000;
/** The subscription is closed after this time without a caller that needs it. */
const LINGER_MS = 10_000;
/** Runs that are read by one statement. */
const BATCH = 50;

interface Share {
  readonly callers: number;
  readonly bytes: number;
}

const NOTHING: Share = { callers: 0, bytes: 0 };
const added = ({ callers, bytes }: Share, moreCallers: number, moreBytes: number): Share => ({
  callers: callers + moreCallers,
  bytes: bytes + moreBytes,
});

/** Whose shares a caller counts in. */
const keysOf = ({ workspaceId, sender }: Pick<CallerRequest, 'workspaceId' | 'sender'>): string[] =>
  sender === undefined ? [workspaceId] : [workspaceId, sender];

const hasReached = (share: Share, bytes: number, part: number): boolean =>
  share.callers >= MAX_WAITING_CALLERS * part || share.bytes + bytes > MAX_WAITING_BYTES * part;

/**
 * The callers of this process that wait for runs, wherever these run. A run of this process tells it directly after each commit; for all
 * others the notifications of commits say which rows to read, and a poll is the safety net.
 */
export class WaitingCallers {
  private readonly all = new Set<WaitingCaller>();
  private readonly byExecution = new Map<string, Set<WaitingCaller>>();
  private readonly shares = new Map<string, Share>();
  private total: Share = NOTHING;
  private readonly stale = new Set<string>();
  private isReading = false;
  private isClosed = false;
  private subscription: Promise<Listener | undefined> | undefined;
  private isSubscribed = false;
  private neededAt = 0;
  private poll: NodeJS.Timeout | undefined;

  /** `isRunningHere`: whether a worker of this process has a run now. */
  constructor(private readonly isRunningHere: (executionId: string) => boolean) {}

  /** Undefined: too many callers wait already. */
  admit(request: CallerRequest): WaitingCaller | undefined {
    const { workspaceId, sender, bytes } = request;
    const isFull =
      hasReached(this.total, bytes, 1) ||
      hasReached(this.shareOf(workspaceId), bytes, WORKSPACE_PART) ||
      (sender !== undefined && hasReached(this.shareOf(sender), bytes, SENDER_PART));
    if (this.isClosed || isFull) return undefined;
    const caller = new WaitingCaller(this, request);
    // It has disconnected already.
    if (caller.isFinished) return caller;
    this.all.add(caller);
    for (const key of keysOf(request)) this.shares.set(key, added(this.shareOf(key), 1, bytes));
    this.total = added(this.total, 1, bytes);
    return caller;
  }

  private shareOf(key: string): Share {
    return this.shares.get(key) ?? NOTHING;
  }

  get count(): number {
    return this.all.size;
  }

  /** Tells the callers of a run what this process has just stored of it. `isResumed`: another process may have stored its answer. */
  written({ executionId, answer, final }: Checkpoint, written: Written, isResumed: boolean): void {
    const callers = this.byExecution.get(executionId);
    if (!callers) return;
    if (isResumed) return this.read([executionId]);
    const isCompleted = written === 'written' && final?.error === null;
    for (const caller of callers) {
      if (answer && takesAnswer(caller)) caller.finish({ kind: 'answer', answer });
      else if (final) caller.finish({ kind: 'end', isCompleted, output: isCompleted ? final.json : null });
    }
  }

  follow(caller: WaitingCaller): void {
    const { executionId = '' } = caller;
    const others = this.byExecution.get(executionId);
    if (others) others.add(caller);
    else this.byExecution.set(executionId, new Set([caller]));
  }

  /** Sees to it that the caller hears of its run. */
  watch({ executionId = '' }: WaitingCaller, isNew: boolean): void {
    this.poll ??= setInterval(() => this.tick(), POLL_MS).unref();
    const isHere = this.isRunningHere(executionId);
    if (!isHere) this.subscribe();
    // A run that is new could not end before there was a caller; unless nothing told of its end.
    if (!isNew || (!isHere && !this.isSubscribed)) this.read([executionId]);
  }

  /** After `finish` and before another run is followed. */
  remove(caller: WaitingCaller): void {
    const { executionId, bytes } = caller;
    if (executionId !== undefined) {
      const others = this.byExecution.get(executionId);
      others?.delete(caller);
      if (others?.size === 0) this.byExecution.delete(executionId);
    }
    if (!caller.isFinished || !this.all.delete(caller)) return;
    for (const key of keysOf(caller)) {
      const share = added(this.shareOf(key), -1, -bytes);
      if (share.callers > 0) this.shares.set(key, share);
      else this.shares.delete(key);
    }
    this.total = added(this.total, -1, -bytes);
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
    this.subscription ??= dispatcher()
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
          // The poll takes over, and attempts it again.
          log().warn({ err: error }, 'the ends of runs can not be watched');
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
    } else if (this.subscription && performance.now() - this.neededAt > LINGER_MS) {
      void this.unsubscribe().catch((error: unknown) => log().warn({ err: error }, 'a subscription was not closed'));
    }
    if (this.all.size > 0 || this.subscription) return;
    clearInterval(this.poll);
    this.poll = undefined;
  }

  private readAll(): void {
    this.read([...this.byExecution.keys()].filter((id) => !this.isRunningHere(id)));
  }

  /** Reads runs: those that are asked for while a statement is on its way go together with the next one. */
  private read(executionIds: string[]): void {
    for (const id of executionIds) this.stale.add(id);
    if (this.isReading || this.stale.size === 0) return;
    this.isReading = true;
    this.readStale()
      .catch((error: unknown) => log().warn({ err: error }, 'the ends of runs could not be read'))
      .finally(() => (this.isReading = false));
  }

  private async readStale(): Promise<void> {
    while (this.stale.size > 0 && !this.isClosed) {
      const ids = [...this.stale].slice(0, BATCH);
      for (const id of ids) this.stale.delete(id);
      const callers = ids.flatMap((id) => [...(this.byExecution.get(id) ?? [])]);
      const withOutput = new Set(
        callers.flatMap((caller) => (takesOutput(caller) && caller.executionId ? [caller.executionId] : [])),
      );
      for (const { id, status, output, answer } of await readEnds(ids, [...withOutput])) {
        const isFinal = status === 'completed' || status === 'failed';
        const end: CallerOutcome = { kind: 'end', isCompleted: status === 'completed', output };
        for (const caller of this.byExecution.get(id) ?? []) {
          if (answer && takesAnswer(caller)) caller.finish({ kind: 'answer', answer });
          // One that came after the statement began may wait for the output, which this one did not read.
          else if (isFinal && (!takesOutput(caller) || withOutput.has(id))) caller.finish(end);
          else if (isFinal) this.stale.add(id);
        }
      }
    }
  }
}
