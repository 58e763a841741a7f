import type { Trigger, TriggerSource } from '@/contract/execution';
import { NO_CALLS } from './calls';
import { runTrigger, type ClaimedRun } from './claim';
import { LargeJson, MAX_PARSED } from '@/server/expressions/large-json';
import type { SlotReservation } from './admission/local-admission';
import type { AuditRow } from '@/server/audit/entry';

/** A requested run that is not stored yet. */
export interface NewRun {
  workspaceId: string;
  workflowId: string;
  /** The version to run, independent of later changes of the workflow. */
  workflowVersion: number;
  trigger: Trigger;
  /** The webhook, schedule, form or chat that requests it; absent: none. */
  triggeredBy?: TriggerSource;
  /** Any JSON value; stored unchanged. */
  input: unknown;
  createdBy: string | null;
  /** Only this node and its predecessors are run; absent: all nodes. */
  untilNodeId?: string | null;
}

export interface Submitted {
  executionId: string;
  /** ISO 8601. */
  startedAt: string;
}

/** The webhook call that requests a run. */
export interface NewDelivery {
  id: string;
  webhookId: string;
  /** Idempotency key of the sender: only the first of several deliveries with the same id starts a run. */
  senderId: string | null;
  /** The delivery that a user replays with this one. */
  replayOf: string | null;
  ipAddress: string;
  userAgent: string;
  /** Optimistic concurrency token of the verified webhook: if it has changed, nothing is stored. Null: not checked. */
  webhookVersion: string | null;
}

/** A run to be stored, with the rows that are stored atomically with it. */
export interface Submission extends Submitted {
  run: NewRun;
  inputJson: string;
  /** The `traceparent` of what submits it; null: no trace. */
  traceParent: string | null;
  audit: AuditRow | undefined;
  delivery: NewDelivery | undefined;
  /** The slot in which the run already started speculatively. */
  reservation?: SlotReservation;
}

/** The run as a worker receives it when it starts before it is stored. */
export const newRun = (
  executionId: string,
  run: NewRun,
  inputJson: string,
  traceParent: string | null = null,
): ClaimedRun => ({
  id: executionId,
  workspaceId: run.workspaceId,
  workflowId: run.workflowId,
  workflowVersion: run.workflowVersion,
  untilNodeId: run.untilNodeId ?? null,
  trigger: runTrigger(run.trigger, run.triggeredBy),
  status: 'pending',
  input: inputJson.length > MAX_PARSED ? new LargeJson(inputJson) : (run.input ?? null),
  inputBytes: null,
  crashCount: 0,
  isCancelRequested: false,
  claimedAt: new Date(),
  deadlineAt: null,
  parentId: null,
  isLimited: false,
  override: null,
  traceParent,
  states: [],
  decisions: new Map(),
  calls: NO_CALLS,
  unreadable: null,
});
