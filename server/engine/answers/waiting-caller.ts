import { onDisconnect, type Connection } from '@/server/disconnect';
import type { RunAnswer } from '@/server/nodes/node';

/**
 * What a caller waits for: the answer of a `respond` node, or the end of a run that gives none, with or without its output; the output of
 * the run; or only its end.
 */
export type Awaited = 'answer' | 'answer or output' | 'output' | 'end';

export type CallerOutcome =
  | { kind: 'answer'; answer: RunAnswer }
  /** The run ended. `output`: its JSON, if the caller waits for it and the run completed. */
  | { kind: 'end'; isCompleted: boolean; output: string | null }
  /** The time is over, or the caller has disconnected. */
  | { kind: 'none' }
  /** This process stops. */
  | { kind: 'stopping' };

export const NO_ANSWER: CallerOutcome = { kind: 'none' };

export interface CallerRequest {
  workspaceId: string;
  /** Where it comes from, such as a chat and a network. Absent: only the share of its workspace counts. */
  sender?: string;
  awaited: Awaited;
  timeoutMs: number;
  /** The size of its request, which stays in memory. */
  bytes: number;
  /** A caller that disconnects stops waiting. */
  connection: Connection | undefined;
}

/** The registry of the callers of a process. */
interface Registry {
  follow(caller: WaitingCaller): void;
  watch(caller: WaitingCaller, isNew: boolean): void;
  remove(caller: WaitingCaller): void;
}

export const takesAnswer = ({ awaited }: { awaited: Awaited }): boolean =>
  awaited === 'answer' || awaited === 'answer or output';
export const takesOutput = ({ awaited }: { awaited: Awaited }): boolean =>
  awaited === 'output' || awaited === 'answer or output';

/** A caller whose request stays open until its run answers or ends. Finishes once. */
export class WaitingCaller {
  readonly workspaceId: string;
  readonly sender: string | undefined;
  readonly awaited: Awaited;
  readonly bytes: number;
  /** The run that it waits for; undefined: not known yet. */
  executionId: string | undefined;
  private outcome: CallerOutcome | undefined;
  private resolve: ((outcome: CallerOutcome) => void) | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly stopListening: (() => void) | undefined;

  constructor(
    private readonly registry: Registry,
    { workspaceId, sender, awaited, timeoutMs, bytes, connection }: CallerRequest,
  ) {
    this.workspaceId = workspaceId;
    this.sender = sender;
    this.awaited = awaited;
    this.bytes = bytes;
    this.timer = setTimeout(() => this.leave(), timeoutMs);
    this.stopListening = connection && onDisconnect(connection, () => this.leave());
  }

  get isFinished(): boolean {
    return this.outcome !== undefined;
  }

  /** Names the run, before it is stored: it may end before the submission returns. A later call names another run. */
  follow(executionId: string): void {
    if (this.outcome) return;
    this.registry.remove(this);
    this.executionId = executionId;
    this.registry.follow(this);
  }

  /** Resolves when the run has answered or ended, or nothing is to be waited for any more. `isNew`: the run was stored by this call. */
  wait(isNew: boolean): CallerOutcome | Promise<CallerOutcome> {
    if (this.outcome) return this.outcome;
    this.registry.watch(this, isNew);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  finish(outcome: CallerOutcome): void {
    if (this.outcome) return;
    this.outcome = outcome;
    clearTimeout(this.timer);
    this.stopListening?.();
    this.registry.remove(this);
    this.resolve?.(outcome);
  }

  /** Stops waiting. */
  leave(): void {
    this.finish(NO_ANSWER);
  }
}
