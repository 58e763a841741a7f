import type { TriggerType, TriggerSource } from '@/contract/execution';
import { NO_RECEIVED_CALLS } from './calls';
import { toRunTrigger, type ClaimedRun } from './claim';
import { LargeJsonText, MAX_PARSED_JSON } from '@/server/evaluation/expressions/large-json';
import type { SlotReservation } from './admission/local-admission';
import type { AuditRow } from '@/server/people/audit/entry';

/** A requested run that is not stored yet. */
export interface RunRequest {
  workspaceId: string;
  workflowId: string;
  /** The version to run, independent of later changes of the workflow. */
  workflowVersion: number;
  trigger: TriggerType;
  /** The webhook, schedule, form or chat that requests it; absent: none. */
  triggeredBy?: TriggerSource;
  /** Any JSON value; stored unchanged. */
  input: unknown;
  createdBy: string | null;
  /** Only this node and its predecessors are run; absent: all nodes. */
  untilNodeId?: string | null;
  /** The start node at which it begins; absent: every start node. */
  startNodeId?: string | null;
}

export interface SubmittedRun {
  executionId: string;
  /** ISO 8601. */
  startedAt: string;
}

/** The webhook call that requests a run. */
export interface AcceptedDelivery {
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
export interface RunSubmission extends SubmittedRun {
  run: RunRequest;
  inputJson: string;
  /** The `traceparent` of the request that submits the run; null: no trace. */
  traceParent: string | null;
  audit: AuditRow | undefined;
  delivery: AcceptedDelivery | undefined;
  /** The slot in which the run already started speculatively. */
  reservation?: SlotReservation;
}

/** The run as a worker receives it when it starts before it is stored. */
export const toUnstoredRun = (
  executionId: string,
  run: RunRequest,
  inputJson: string,
  traceParent: string | null = null,
): ClaimedRun => ({
  id: executionId,
  workspaceId: run.workspaceId,
  workflowId: run.workflowId,
  workflowVersion: run.workflowVersion,
  untilNodeId: run.untilNodeId ?? null,
  startNodeId: run.startNodeId ?? null,
  trigger: toRunTrigger(run.trigger, run.triggeredBy),
  status: 'pending',
  input: inputJson.length > MAX_PARSED_JSON ? new LargeJsonText(inputJson) : (run.input ?? null),
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
  calledPaths: NO_RECEIVED_CALLS,
  unreadableReason: null,
});
