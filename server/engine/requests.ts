import type { DecisionWord } from '@/contract/execution';
import type { Definition } from '@/contract/workflow';
import type { Db } from '../db/client';
import { CHANNELS, payloads } from './channels';
import { namesNode } from './definition';

/** Wakes whoever has these runs, or somebody to take them; heard when the transaction commits. */
async function wake(db: Db, ids: string[]): Promise<void> {
  await db.$queryRaw`
    SELECT count(pg_notify(${CHANNELS.wishes}, payload))::int, count(pg_notify(${CHANNELS.work}, ''))::int
    FROM unnest(${payloads(ids)}::text[]) payload`;
}

/**
 * Asks for runs to be cancelled. Answers the ids of those that weren't final: they end as failed with CANCELLED,
 * whatever they come to meanwhile, and no node of theirs starts any more. Runs that they wait for go along.
 */
export async function cancel(db: Db, ids: string[]): Promise<string[]> {
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
  if (cancelled.length > 0) await wake(db, cancelled);
  return ids.filter((id) => cancelled.includes(id));
}

export interface DecisionRequest {
  workspaceId: string;
  executionId: string;
  /** The node's path: its id, inside for_each rounds `loop[3].inner`. */
  nodeId: string;
  decision: DecisionWord;
  comment: string | null;
  /** Who decided, as later nodes and readers see it. */
  decidedBy: string;
}

/** `not-waiting`: nobody asks for this decision, or not any more; somebody else may just have made it. */
export type DecisionAnswer = 'decided' | 'unknown-execution' | 'unknown-node' | 'not-waiting';

/** Makes a decision at an approval. Of several at once exactly one is `decided`. */
export async function decide(db: Db, request: DecisionRequest): Promise<DecisionAnswer> {
  const { workspaceId, executionId, nodeId, decision, comment, decidedBy } = request;
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
    return version && namesNode(version.definition as Definition, nodeId) ? 'not-waiting' : 'unknown-node';
  }
  if (!execution.is_open || result.status !== 'paused') return 'not-waiting';
  const data = { executionId, nodeId, decision, comment, decidedBy };
  const { count } = await db.decision.createMany({ data, skipDuplicates: true });
  if (count === 0) return 'not-waiting';
  await db.$executeRaw`UPDATE execution SET available_at = now() WHERE id = ${executionId}`;
  await wake(db, [executionId]);
  return 'decided';
}
