import type { NotifyListener } from '@/server/platform/db/listen';

/** The events of a worker process. */
export interface WorkerEvents {
  /** There may be runs to claim. */
  onWork(): void;
  /**
   * Asks this worker alone to look for runs. Resolves after it has done so, with true if it claimed some and could
   * claim more.
   */
  pollOnce(): Promise<boolean>;
  /** These runs have a signal: a cancellation or a decision. */
  onSignals(executionIds: string[]): void;
  /** Variables of these workspaces or settings of these workflows changed. */
  onReferenceData(ids: string[]): void;
  /** Something changed on which subscriptions at providers depend. */
  onSubscriptions(): void;
  /** Notifications may have been lost. */
  onGap(): void;
  /** Resolves when the worker has a free slot, or stops. A full worker needs no notification. */
  waitForSlot(): Promise<void>;
}

/** What a transaction has stored about a workflow: pinned outputs, or a version. */
export type StoredWorkflowPart = 'pins' | 'workflowSaves';

/** The events of a process that shows live state to people. */
export interface ViewerEvents {
  /** These executions changed. */
  onChanged(executionIds: string[]): void;
  /** Presence at these workflows changed. */
  onPresence(workflowIds: string[]): void;
  /** Calls of webhooks of these workflows arrived while a user listened. */
  onWebhookCalls(workflowIds: string[]): void;
  /** Somebody points at something on a canvas: a message of the live channel as JSON. Any sender may be wrong. */
  onPointer?(message: string): void;
  /** A transaction has stored something about these workflows that the people who have them open read again. */
  onStored?(what: StoredWorkflowPart, workflowIds: string[]): void;
  /** Notifications may have been lost. */
  onGap(): void;
}

/**
 * A piece of an answer that a run is writing, for the caller that waits for it. The text continues the one before at
 * position `at`, in UTF-16 units; 0: it begins a new one. A reader that has less text than that has missed a piece, and
 * ignores it.
 */
export interface ReplyTextPiece {
  executionId: string;
  at: number;
  text: string;
}

/**
 * How the processes of a fleet wake each other. All events are hints: the rows are the truth, a poll covers lost hints,
 * and a duplicate hint loses the claim. No method here rejects, or waits because hints cannot be delivered.
 */
export interface FleetDispatcher {
  /** True: writes are notified with their commit. False: the writer notifies afterwards (`notifyWork`, `changed`). */
  readonly isInDatabase: boolean;
  /** How long a lost hint may go unnoticed, in milliseconds. */
  readonly pollMs: number;
  /**
   * The worker that saw a run waits itself if the run is due within this time; later ones get a timer (`notifyWork`).
   */
  readonly horizonMs: number;
  /** Runs may be claimed, now or from this time on. */
  notifyWork(at?: Date): void;
  /** These executions changed. */
  changed(executionIds: string[]): void;
  /** Presence at these workflows changed. */
  presenceChanged(workflowIds: string[]): void;
  /** People point at something on canvases: messages as JSON, each of at most 4 KiB. A lost one is not sent again. */
  pointersMoved(messages: string[]): void;
  /** Calls of webhooks of these workflows arrived while a user listened. */
  webhookCalled(workflowIds: string[]): void;
  /** A piece of an answer is written. Pieces are a preview, so a lost one is not sent again. */
  replyTextWritten(piece: ReplyTextPiece): void;
  /** For processes whose callers wait for answers. */
  watchReplyTexts(onText: (piece: ReplyTextPiece) => void): Promise<NotifyListener>;
  /** For workers. */
  subscribeWorker(events: WorkerEvents): Promise<NotifyListener>;
  /** For processes that show executions and presence. */
  watch(events: ViewerEvents): Promise<NotifyListener>;
  /** For the scheduler: at each full minute one process of the fleet is called, or none (then it polls). */
  everyMinute(onMinute: () => void): Promise<NotifyListener>;
  close(): Promise<void>;
}
