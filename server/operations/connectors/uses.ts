import type { Definition, Node } from '@/contract/workflows/workflow';
import { visibleTo } from '@/server/access/filter';
import type { Caller } from '@/server/access/caller';
import type { Db } from '@/server/db/client';
import { operationsUsed } from '@/server/workflow/connectors';

interface Row {
  id: string;
  definition: Definition;
  draft: Definition | null;
  polls: Pick<Node, 'type' | 'config'>[] | null;
}

/** The workflows that use a connector: live, as a draft, or by a poll. With the operations that each uses. */
export async function usesOf(db: Db, workspaceId: string, connectorId: string): Promise<Map<string, Set<string>>> {
  // The id is random enough to be searched as text; `"` on both sides matches it as a whole.
  const quoted = `"${connectorId}"`;
  const rows = await db.$queryRaw<Row[]>`
    SELECT w.id, w.definition, d.definition AS draft, p.polls
    FROM workflow w
    LEFT JOIN workflow_version d ON d.workflow_id = w.id AND d.version = w.draft_version
    LEFT JOIN LATERAL (SELECT json_agg(poll.node) AS polls FROM poll WHERE poll.workflow_id = w.id) p ON true
    WHERE w.workspace_id = ${workspaceId} AND (position(${quoted} IN w.definition::text) > 0
      OR position(${quoted} IN d.definition::text) > 0 OR position(${quoted} IN p.polls::text) > 0)`;
  return new Map(rows.map((row) => [row.id, operationsOf(row, connectorId)]));
}

function operationsOf({ definition, draft, polls }: Row, connectorId: string): Set<string> {
  const nodes = (polls ?? []).map((node, index) => ({ ...node, id: `poll${index}`, position: { x: 0, y: 0 } }));
  const all = [definition, draft ?? { nodes: [], connections: [] }, { nodes, connections: [] }];
  return new Set(all.flatMap((one) => [...(operationsUsed(one).get(connectorId) ?? [])]));
}

/** The workflows with these ids: those that the caller may read, and the number of others. */
export async function presentUses(db: Db, caller: Caller, ids: string[]) {
  const usedBy = await db.workflow.findMany({
    where: { AND: [{ workspaceId: caller.workspaceId, id: { in: ids } }, visibleTo(caller, 'workflow')] },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  return { usedBy, otherUses: ids.length - usedBy.length };
}
