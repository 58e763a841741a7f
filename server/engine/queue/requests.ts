import type { ApprovalDecision } from '@/contract/approval';
import type { FormFieldValues } from '@/contract/triggers/form-fields';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { Prisma } from '@/generated/prisma/client';
import type { DatabaseClient } from '@/server/platform/db/client';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import { hasNodeAtPath } from '@/server/workflow/definition/node-paths';

/** Notifies the workers that have these runs, and workers that could claim them, when the transaction commits. */
export async function notifyRunWorkers(db: DatabaseClient, ids: string[]): Promise<void> {
  await db.$queryRaw`
    SELECT count(pg_notify(${NOTIFY_CHANNELS.signals}, payload))::int, count(pg_notify(${NOTIFY_CHANNELS.work}, ''))::int
    FROM unnest(${splitNotifyPayloads(ids)}::text[]) payload`;
}

/**
 * Requests the cancellation of runs and of the child runs that they wait for. Returns those of `ids` that were not
 * final: they end as failed with CANCELLED even if they finish meanwhile, and start no more nodes.
 */
export async function requestCancellation(db: DatabaseClient, ids: string[]): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE family AS (
      SELECT id FROM execution WHERE id = ANY(${ids}::text[])
      UNION
      SELECT c.id FROM family JOIN execution c ON c.parent_id = family.id
      WHERE c.is_awaited AND c.status NOT IN ('completed', 'failed')
    )
    UPDATE execution SET cancel_requested_at = coalesce(cancel_requested_at, now()), available_at = now()
    WHERE id IN (SELECT id FROM family) AND status NOT IN ('completed', 'failed')
    RETURNING id`;
  const cancelled = rows.map(({ id }) => id);
  if (cancelled.length > 0) await notifyRunWorkers(db, cancelled);
  return ids.filter((id) => cancelled.includes(id));
}

export interface DecisionInput {
  workspaceId: string;
  executionId: string;
  /** The node's path: its id, inside rounds of loops `loop[3].inner`. */
  nodeId: string;
  decision: ApprovalDecision;
  comment: string | null;
  /** The user who decided, as shown to later nodes and in the report. */
  decidedBy: string;
  /** The values of the fields that the approval asks for, checked. */
  data?: FormFieldValues;
}

/** `not-waiting`: the node does not wait for a decision, or another user has just made it. */
export type DecisionResult = 'decided' | 'unknown-execution' | 'unknown-node' | 'not-waiting';

/** Records a decision at an approval. Of several concurrent decisions exactly one is `decided`. */
export async function recordDecision(db: DatabaseClient, request: DecisionInput): Promise<DecisionResult> {
  const { workspaceId, executionId, nodeId, decision, comment, decidedBy, data: values } = request;
  const [execution] = await db.$queryRaw<{ is_open: boolean; workflow_id: string; workflow_version: number }[]>`
    SELECT status NOT IN ('completed', 'failed') AND cancel_requested_at IS NULL AS is_open, workflow_id, workflow_version
    FROM execution WHERE id = ${executionId} AND workspace_id = ${workspaceId} FOR UPDATE`;
  if (!execution) return 'unknown-execution';
  const result = await db.nodeResult.findUnique({
    where: { executionId_nodeId: { executionId, nodeId } },
    select: { status: true },
  });
  if (!result) {
    const where = { workflowId: execution.workflow_id, version: execution.workflow_version };
    const version = await db.workflowVersion.findUnique({
      where: { workflowId_version: where },
      select: { definition: true },
    });
    return version && hasNodeAtPath(version.definition as WorkflowDefinition, nodeId) ? 'not-waiting' : 'unknown-node';
  }
  if (!execution.is_open || result.status !== 'paused') return 'not-waiting';
  const data = {
    executionId,
    nodeId,
    decision,
    comment,
    decidedBy,
    data: values as Prisma.InputJsonObject | undefined,
  };
  const { count } = await db.decision.createMany({ data, skipDuplicates: true });
  if (count === 0) return 'not-waiting';
  await db.$executeRaw`UPDATE execution SET available_at = now() WHERE id = ${executionId}`;
  await notifyRunWorkers(db, [executionId]);
  return 'decided';
}
