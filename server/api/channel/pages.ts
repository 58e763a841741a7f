import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { databasePool } from '@/server/platform/db/client';
import { parseUnlessLarge } from '@/server/evaluation/expressions/large-json';
import type { WorkflowGraph } from '@/server/workflow/definition/graph';
import { loadRunGraphs, nodeRanks, findSkippedNodes } from './graphs';
import type { NodeResultRow, RunChanges } from './messages';

/** Maximum bytes of outputs in one page. A checkpoint is never split, so a page may exceed it a little. */
const MAX_CHANGES_BYTES = 262_144;

/** The revision after which an execution is read; -1: from the beginning. */
export interface RunPageRequest {
  executionId: string;
  revision: number;
}

/** A row of an execution (`node_id` null) or of one of its nodes. */
interface RunPageRow {
  n: string;
  node_id: string | null;
  workflow_id: string;
  workflow_version: number;
  until_node: string | null;
  start_node_id: string | null;
  status: string;
  revision: number;
  /** The output as JSON text. */
  output: string | null;
  started_at: Date | null;
  completed_at: Date | null;
  /** Bytes of this page up to this row. */
  bytes: number;
}

// One statement is one snapshot: the rows of an execution and of its nodes are consistent.
const READ_PAGES_QUERY = {
  name: 'channel.pages',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS w(id, seen, n)
    )
    SELECT w.n, NULL AS node_id, e.workflow_id, e.workflow_version, e.until_node, e.start_node_id, e.status, e.revision,
      CASE WHEN e.status IN ('completed', 'failed') THEN e.output::text END AS output, e.started_at, e.completed_at, 0 AS bytes
    FROM wanted w JOIN execution e ON e.id = w.id
    UNION ALL
    SELECT w.n, r.node_id, NULL, NULL, NULL, NULL, r.status, r.revision, r.output::text, r.started_at, r.completed_at, r.bytes
    FROM wanted w CROSS JOIN LATERAL (
      SELECT s.*, sum(size) OVER (ORDER BY revision)::float8 AS bytes,
        sum(size) OVER (PARTITION BY revision)::float8 AS own
      FROM (
        SELECT *, coalesce(pg_column_size(output), 0) + 200 AS size
        FROM node_result WHERE execution_id = w.id AND revision > w.seen
      ) s
    ) r
    WHERE r.bytes - r.own < $3`,
};

/** Reads the changes of many executions at once. Answers in the order of the requests, null for an unknown id. */
export async function readRunPages(requests: readonly RunPageRequest[]): Promise<(RunChanges | null)[]> {
  const { rows } = await databasePool().query<RunPageRow>({
    values: [
      requests.map(({ executionId }) => executionId),
      requests.map(({ revision }) => revision),
      MAX_CHANGES_BYTES,
    ],
    ...READ_PAGES_QUERY,
  });
  const found = requests.map(({ executionId }) => ({
    executionId,
    own: null as RunPageRow | null,
    nodes: [] as RunPageRow[],
  }));
  for (const row of rows) {
    const one = found[Number(row.n) - 1];
    if (row.node_id !== null) one?.nodes.push(row);
    else if (one) one.own = row;
  }
  const existing = found.flatMap(({ executionId, own }) => (own ? [{ executionId, own }] : []));
  const graphs = await loadRunGraphs(
    existing.map(({ own }) => ({
      workflowId: own.workflow_id,
      workflowVersion: own.workflow_version,
      untilNodeId: own.until_node,
      startNodeId: own.start_node_id,
    })),
  );
  const graphOf = new Map(existing.map(({ executionId }, index) => [executionId, graphs[index]]));
  const finalIds = existing.filter(({ own }) => isFinalStatus(own.status)).map(({ executionId }) => executionId);
  const skipped = await findSkippedNodes(new Map(finalIds.map((id) => [id, graphOf.get(id)])));
  return found.map(({ executionId, own, nodes }) =>
    own
      ? toRunChanges(
          executionId,
          own,
          sortByDependency(nodes, graphOf.get(executionId)),
          skipped.get(executionId) ?? [],
        )
      : null,
  );
}

/** A checkpoint may contain several nodes that depend on each other. */
function sortByDependency(rows: RunPageRow[], graph: WorkflowGraph | undefined): RunPageRow[] {
  const rankOf = nodeRanks(graph);
  const instant = (row: RunPageRow) => (row.completed_at ?? row.started_at)?.getTime() ?? 0;
  return rows.sort(
    (a, b) => a.revision - b.revision || rankOf(a.node_id ?? '') - rankOf(b.node_id ?? '') || instant(a) - instant(b),
  );
}

const toRunChanges = (executionId: string, own: RunPageRow, nodes: RunPageRow[], skipped: string[]): RunChanges => ({
  executionId,
  status: own.status as ExecutionStatus,
  revision: own.revision,
  output: parseUnlessLarge(own.output ?? 'null'),
  startedAt: own.started_at ?? new Date(),
  completedAt: own.completed_at,
  rows: nodes.map(toNodeResultRow),
  isLast: nodes.every(({ bytes }) => bytes < MAX_CHANGES_BYTES),
  skipped,
  readAt: new Date(),
});

const toNodeResultRow = (row: RunPageRow): NodeResultRow => ({
  nodeId: row.node_id ?? '',
  status: row.status as NodeStatus,
  output: parseUnlessLarge(row.output ?? 'null'),
  startedAt: row.started_at,
  completedAt: row.completed_at,
  revision: row.revision,
});
