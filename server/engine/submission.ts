import type { Trigger } from '@/contract/execution';
import type { AuditRow } from '../api/operation';
import type { ClaimedRun } from './claim';
import type { Place } from './handover';

/** A run that somebody asks for. */
export interface NewRun {
  workspaceId: string;
  workflowId: string;
  /** The version that it will run, whatever becomes of the workflow. */
  workflowVersion: number;
  trigger: Trigger;
  /** Any JSON value; kept as it is. */
  input: unknown;
  createdBy: string | null;
  /** Only this node and what leads to it are run; absent: everything. */
  untilNodeId?: string | null;
}

export interface Submitted {
  executionId: string;
  /** ISO 8601. */
  startedAt: string;
}

/** The call of a webhook that asks for a run. */
export interface NewDelivery {
  id: string;
  webhookId: string;
  /** The sender's own id: of several deliveries with the same one, only the first starts a run. */
  senderId: string | null;
  /** The delivery that this one repeats on a person's behalf. */
  replayOf: string | null;
  ipAddress: string;
  userAgent: string;
  /** The webhook as it was judged by (`AS_SEEN`): if it has changed since, nothing is stored. Null: it wasn't. */
  seen: string | null;
}

/** A webhook that still is, with all that its deliveries depend on. */
export const WEBHOOK = `webhook h JOIN workflow f ON f.id = h.workflow_id
  JOIN workspace w ON w.id = f.workspace_id AND w.deleted_at IS NULL`;

/** Another text whenever one of these rows has been written: PostgreSQL's own mark of who wrote it. */
export const AS_SEEN = `concat_ws('.', h.xmin, f.xmin, w.xmin)`;

/** A run on its way into the database, with what is stored along with it or not at all. */
export interface Submission extends Submitted {
  run: NewRun;
  inputJson: string;
  audit: AuditRow | undefined;
  delivery: NewDelivery | undefined;
  /** Where it has begun already. */
  place?: Place;
}

/** The run as a worker has it that is given it before it is stored. */
export const newRun = (executionId: string, run: NewRun): ClaimedRun => ({
  id: executionId,
  workspaceId: run.workspaceId,
  workflowId: run.workflowId,
  workflowVersion: run.workflowVersion,
  untilNodeId: run.untilNodeId ?? null,
  status: 'pending',
  input: run.input ?? null,
  inputBytes: null,
  claims: 1,
  isCancelRequested: false,
  claimedAt: new Date(),
  parentId: null,
  isLimited: false,
  override: null,
  states: [],
  decisions: new Map(),
});
