import { isFinal, type ExecutionStatus, type NodeStatus } from '@/contract/execution';
import { readExecution } from '../engine/report';
import { pool } from '../db/client';
import type { Page } from './messages';

/** Stored bytes of outputs in one page; one checkpoint is never split, so a page may hold a little more. */
const PAGE_BYTES = 262_144;

/** From which revision on an execution is to be read; -1: from the beginning. */
export interface Wanted {
  executionId: string;
  revision: number;
}

interface Row {
  n: string;
  workspace_id: string | null;
  node_id: string | null;
  status: string;
  revision: number;
  output: unknown;
  started_at: Date | null;
  completed_at: Date | null;
  /** Bytes of this page up to this row. */
  bytes: number;
}

// One statement is one snapshot: an execution's row and its nodes' rows never contradict each other.
const READ = {
  name: 'channel-pages',
  text: `
    WITH wanted AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS w(id, seen, n)
    )
    SELECT w.n, e.workspace_id, NULL AS node_id, e.status, e.revision,
      CASE WHEN e.status IN ('completed', 'failed') THEN e.output END AS output, e.started_at, e.completed_at, 0 AS bytes
    FROM wanted w JOIN execution e ON e.id = w.id
    UNION ALL
    SELECT w.n, NULL, r.node_id, r.status, r.revision, r.output, r.started_at, r.completed_at, r.bytes
    FROM wanted w CROSS JOIN LATERAL (
      SELECT s.*, sum(size) OVER (ORDER BY revision)::float8 AS bytes, sum(size) OVER (PARTITION BY revision)::float8 AS own
      FROM (
        SELECT *, coalesce(pg_column_size(output), 0) + 200 AS size
        FROM node_result WHERE execution_id = w.id AND revision > w.seen
      ) s
    ) r
    WHERE r.bytes - r.own < $3`,
};

const instant = (row: Row) => (row.completed_at ?? row.started_at)?.getTime() ?? 0;
const inOrder = (a: Row, b: Row) =>
  a.revision - b.revision || instant(a) - instant(b) || (a.started_at?.getTime() ?? 0) - (b.started_at?.getTime() ?? 0);

/** Reads what is new of many executions at once; answers in the order asked, null for one that isn't there. */
export async function readPages(wanted: readonly Wanted[]): Promise<(Page | null)[]> {
  const { rows } = await pool().query<Row>({
    ...READ,
    values: [wanted.map(({ executionId }) => executionId), wanted.map(({ revision }) => revision), PAGE_BYTES],
  });
  const found: Row[][] = wanted.map(() => []);
  for (const row of rows) found[Number(row.n) - 1]?.push(row);
  return Promise.all(wanted.map(({ executionId }, index) => pageOf(executionId, found[index] ?? [])));
}

async function pageOf(executionId: string, rows: Row[]): Promise<Page | null> {
  const own = rows.find(({ node_id }) => node_id === null);
  if (!own?.started_at) return null;
  const nodes = rows.filter(({ node_id }) => node_id !== null).sort(inOrder);
  const isLast = nodes.every(({ bytes }) => bytes < PAGE_BYTES);
  return {
    executionId,
    status: own.status as ExecutionStatus,
    revision: own.revision,
    output: own.output,
    startedAt: own.started_at,
    completedAt: own.completed_at,
    rows: nodes.map((row) => ({
      nodeId: row.node_id ?? '',
      status: row.status as NodeStatus,
      output: row.output,
      startedAt: row.started_at,
      completedAt: row.completed_at,
      revision: row.revision,
    })),
    isLast,
    skipped: isLast && isFinal(own.status) && own.workspace_id ? await skippedNodes(own.workspace_id, executionId) : [],
    readAt: new Date(),
  };
}

async function skippedNodes(workspaceId: string, executionId: string): Promise<string[]> {
  const execution = await readExecution(workspaceId, executionId);
  return (execution?.nodeResults ?? []).filter(({ status }) => status === 'skipped').map(({ nodeId }) => nodeId);
}
