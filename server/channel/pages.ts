import type { ExecutionStatus, NodeStatus } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { pool } from '@/server/db/client';
import { fromJson } from '@/server/expressions/large-json';
import type { Graph } from '@/server/workflow/graph';
import { graphsOf, ranks, skippedNodes } from './graphs';
import type { NodeRow, Page } from './messages';

/** Maximum bytes of outputs in one page. A checkpoint is never split, so a page may exceed it a little. */
const PAGE_BYTES = 262_144;

/** The revision after which an execution is read; -1: from the beginning. */
export interface PageRequest {
  executionId: string;
  revision: number;
}

/** A row of an execution (`node_id` null) or of one of its nodes. */
interface Row {
  n: string;
  node_id: string | null;
  workflow_id: string;
  workflow_version: number;
  until_node: string | null;
  status: string;
  revision: number;
  /** JSON. */
  output: string | null;
  started_at: Date | null;
  completed_at: Date | null;
  /** Bytes of this page up to this row. */
  bytes: number;
}

// One statement is one snapshot: the rows of an execution and of its nodes are consistent.
const READ = {
  name: 'channel.pages',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS w(id, seen, n)
    )
    SELECT w.n, NULL AS node_id, e.workflow_id, e.workflow_version, e.until_node, e.status, e.revision,
      CASE WHEN e.status IN ('completed', 'failed') THEN e.output::text END AS output, e.started_at, e.completed_at, 0 AS bytes
    FROM wanted w JOIN execution e ON e.id = w.id
    UNION ALL
    SELECT w.n, r.node_id, NULL, NULL, NULL, r.status, r.revision, r.output::text, r.started_at, r.completed_at, r.bytes
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
export async function readPages(requests: readonly PageRequest[]): Promise<(Page | null)[]> {
  const { rows } = await pool().query<Row>({
    values: [requests.map(({ executionId }) => executionId), requests.map(({ revision }) => revision), PAGE_BYTES],
    ...READ,
  });
  const found = requests.map(({ executionId }) => ({ executionId, own: null as Row | null, nodes: [] as Row[] }));
  for (const row of rows) {
    const one = found[Number(row.n) - 1];
    if (row.node_id !== null) one?.nodes.push(row);
    else if (one) one.own = row;
  }
  const existing = found.flatMap(({ executionId, own }) => (own ? [{ executionId, own }] : []));
  const graphs = await graphsOf(
    existing.map(({ own }) => ({
      workflowId: own.workflow_id,
      workflowVersion: own.workflow_version,
      untilNodeId: own.until_node,
    })),
  );
  const graphOf = new Map(existing.map(({ executionId }, index) => [executionId, graphs[index]]));
  const finalIds = existing.filter(({ own }) => isFinal(own.status)).map(({ executionId }) => executionId);
  const skipped = await skippedNodes(new Map(finalIds.map((id) => [id, graphOf.get(id)])));
  return found.map(({ executionId, own, nodes }) =>
    own ? pageOf(executionId, own, inOrder(nodes, graphOf.get(executionId)), skipped.get(executionId) ?? []) : null,
  );
}

/** A checkpoint may contain several nodes that depend on each other. */
function inOrder(rows: Row[], graph: Graph | undefined): Row[] {
  const rankOf = ranks(graph);
  const instant = (row: Row) => (row.completed_at ?? row.started_at)?.getTime() ?? 0;
  return rows.sort(
    (a, b) => a.revision - b.revision || rankOf(a.node_id ?? '') - rankOf(b.node_id ?? '') || instant(a) - instant(b),
  );
}

const pageOf = (executionId: string, own: Row, nodes: Row[], skipped: string[]): Page => ({
  executionId,
  status: own.status as ExecutionStatus,
  revision: own.revision,
  output: fromJson(own.output ?? 'null'),
  startedAt: own.started_at ?? new Date(),
  completedAt: own.completed_at,
  rows: nodes.map(nodeOf),
  isLast: nodes.every(({ bytes }) => bytes < PAGE_BYTES),
  skipped,
  readAt: new Date(),
});

const nodeOf = (row: Row): NodeRow => ({
  nodeId: row.node_id ?? '',
  status: row.status as NodeStatus,
  output: fromJson(row.output ?? 'null'),
  startedAt: row.started_at,
  completedAt: row.completed_at,
  revision: row.revision,
});
