import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { visibleRowsFilter } from '@/server/people/access/filter';
import type { WorkspaceCaller } from '@/server/people/access/caller';
import type { DatabaseClient } from '@/server/platform/db/client';
import { operationsUsed } from '@/server/workflow/definition/connectors';

interface ConnectorUseRow {
  id: string;
  definition: WorkflowDefinition;
  draft: WorkflowDefinition | null;
  polls: Pick<WorkflowNode, 'type' | 'config'>[] | null;
}

/**
 * Finds the workflows that use a connector in a live version, a draft or a poll, each with the operations that it uses.
 */
export async function findConnectorUses(
  db: DatabaseClient,
  workspaceId: string,
  connectorId: string,
): Promise<Map<string, Set<string>>> {
  // The id is random enough to be searched as text; `"` on both sides matches it as a whole.
  const quoted = `"${connectorId}"`;
  const rows = await db.$queryRaw<ConnectorUseRow[]>`
    SELECT w.id, w.definition, d.definition AS draft, p.polls
    FROM workflow w
    LEFT JOIN workflow_version d ON d.workflow_id = w.id AND d.version = w.draft_version
    LEFT JOIN LATERAL (SELECT json_agg(poll.node) AS polls FROM poll WHERE poll.workflow_id = w.id) p ON true
    WHERE w.workspace_id = ${workspaceId} AND (position(${quoted} IN w.definition::text) > 0
      OR position(${quoted} IN d.definition::text) > 0 OR position(${quoted} IN p.polls::text) > 0)`;
  return new Map(rows.map((row) => [row.id, usedOperationIds(row, connectorId)]));
}

function usedOperationIds({ definition, draft, polls }: ConnectorUseRow, connectorId: string): Set<string> {
  const nodes = (polls ?? []).map((node, index) => ({ ...node, id: `poll${index}`, position: { x: 0, y: 0 } }));
  const all = [definition, draft ?? { nodes: [], connections: [] }, { nodes, connections: [] }];
  return new Set(all.flatMap((one) => [...(operationsUsed(one).get(connectorId) ?? [])]));
}

/** Lists the workflows among these ids that the caller may read, and counts the others. */
export async function visibleConnectorUses(db: DatabaseClient, caller: WorkspaceCaller, ids: string[]) {
  const usedBy = await db.workflow.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId, id: { in: ids } }, visibleRowsFilter(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return { usedBy, otherUses: ids.length - usedBy.length };
}
