import { onClientDisconnect, type ClientConnection } from '@/server/platform/messages/disconnect';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';

/**
 * What a caller waits for: `answer` is the response of a `respond` node, `output` the output of the run, `end` only its
 * end. A caller that waits for a response is also told when the run ends without one; `answer or output` then includes
 * the output.
 */
export type AwaitedEvent = 'answer' | 'answer or output' | 'output' | 'end';

export type CallerWaitResult =
  | { kind: 'answer'; response: CallerResponse }
  /** The run ended. `output`: its JSON, if the caller waits for it and the run completed. */
  | { kind: 'end'; isCompleted: boolean; output: string | null }
  /** The timeout has passed, or the caller has disconnected. */
  | { kind: 'none' }
  /** This process stops. */
  | { kind: 'stopping' };

export const ABANDONED_WAIT: CallerWaitResult = { kind: 'none' };

export interface WaitingCallerRequest {
  workspaceId: string;
  /**
   * Identifies the origin of the request, such as a chat and a network. Absent: only the share of its workspace is
   * limited.
   */
  sender?: string;
  awaited: AwaitedEvent;
  timeoutMs: number;
  /** The size of its request, which stays in memory. */
  bytes: number;
  /** A caller that disconnects stops waiting. */
  connection: ClientConnection | undefined;
}

/** The registry of the callers of a process. */
interface CallerRegistry {
  follow(caller: WaitingCaller): void;
  watch(caller: WaitingCaller, isNew: boolean): void;
  remove(caller: WaitingCaller): void;
}

export const awaitsResponse = ({ awaited }: { awaited: AwaitedEvent }): boolean =>
  awaited === 'answer' || awaited === 'answer or output';
export const awaitsOutput = ({ awaited }: { awaited: AwaitedEvent }): boolean =>
  awaited === 'output' || awaited === 'answer or output';

/** A caller whose request stays open until its run answers or ends. Finishes once. */
export class WaitingCaller {
  readonly workspaceId: string;
  readonly sender: string | undefined;
  readonly awaited: AwaitedEvent;
  readonly bytes: number;
  /** The run that the caller waits for; undefined: not known yet. */
  executionId: string | undefined;
  private outcome: CallerWaitResult | undefined;
  private resolve: ((outcome: CallerWaitResult) => void) | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly stopListening: (() => void) | undefined;

  constructor(
    private readonly registry: CallerRegistry,
    { workspaceId, sender, awaited, timeoutMs, bytes, connection }: WaitingCallerRequest,
  ) {
    this.workspaceId = workspaceId;
    this.sender = sender;
    this.awaited = awaited;
    this.bytes = bytes;
    this.timer = setTimeout(() => this.stopWaiting(), timeoutMs);
    this.stopListening = connection && onClientDisconnect(connection, () => this.stopWaiting());
  }

  get isFinished(): boolean {
    return this.outcome !== undefined;
  }

  /**
   * Sets the run before it is stored, because it may end before the submission returns. A later call replaces the run.
   */
  assignRun(executionId: string): void {
    if (this.outcome) return;
    this.registry.remove(this);
    this.executionId = executionId;
    this.registry.follow(this);
  }

  /** Resolves when the run has responded or ended, or the wait is over. `isNew`: this call stored the run. */
  wait(isNew: boolean): CallerWaitResult | Promise<CallerWaitResult> {
    if (this.outcome) return this.outcome;
    this.registry.watch(this, isNew);
    return new Promise((resolve) => (this.resolve = resolve));
  }

  finish(outcome: CallerWaitResult): void {
    if (this.outcome) return;
    this.outcome = outcome;
    clearTimeout(this.timer);
    this.stopListening?.();
    this.registry.remove(this);
    this.resolve?.(outcome);
  }

  /** Stops waiting. */
  stopWaiting(): void {
    this.finish(ABANDONED_WAIT);
  }
}
