import type { ExecutionStatus } from '@/contract/execution';
import { pool } from '../db/client';
import type { Decision } from '../nodes/node';
import { LARGE } from './large';
import { stateOf, type NodeState, type StateRow } from './state';

/** A run that is this worker's from now on, with all that is known of it. */
export interface ClaimedRun {
  id: string;
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it is run; null: the whole of it. */
  untilNodeId: string | null;
  status: ExecutionStatus;
  /** Undefined where `inputBytes` says how large it is: it is left where it is. Others' doors refuse large ones. */
  input: unknown;
  inputBytes: number | null;
  /** Times it was taken since it last got on. */
  claims: number;
  isCancelRequested: boolean;
  /** The database's clock at the claim: waits that are over by it are over. */
  claimedAt: Date;
  /** The run whose node started this one. */
  parentId: string | null;
  /** Its end makes room for another. */
  isLimited: boolean;
  /** What one node is given instead of what comes in. */
  override: Override | null;
  states: NodeState[];
  decisions: Map<string, Decision>;
}

export interface Override {
  nodeId: string;
  input: unknown;
}

export interface Claim {
  runs: ClaimedRun[];
  /** Where the next claim goes on, so that each workspace gets its turn; '' after the last one. */
  cursor: string;
  /** True: the whole round was looked at, and nothing that is due was left. */
  isDrained: boolean;
  /** In how many milliseconds the next of the runs is due that were not yet; null: none seen. */
  nextDueMs: number | null;
}

/** Workspaces that one claim looks at. */
const MAX_WORKSPACES = 200;

/** Only another run can give a run a large input. */
const IS_INPUT_AWAY = `e.parent_id IS NOT NULL AND octet_length(e.input::text) > ${LARGE}`;

/**
 * Fair in one statement: hops along the index from one waiting workspace to the next (beginning after the cursor),
 * shares the free slots among those with due runs, and takes each one's oldest. Nothing without the worker's row.
 */
const CLAIM = `
WITH RECURSIVE turn AS (
  (SELECT workspace_id, available_at AS first_at, 1 AS place FROM execution
    WHERE worker_id IS NULL AND available_at IS NOT NULL AND workspace_id > $3
    ORDER BY workspace_id, available_at LIMIT 1)
  UNION ALL
  SELECT next.*, turn.place + 1 FROM turn CROSS JOIN LATERAL (
    SELECT workspace_id, available_at FROM execution
    WHERE worker_id IS NULL AND available_at IS NOT NULL AND workspace_id > turn.workspace_id
    ORDER BY workspace_id, available_at LIMIT 1) next
  WHERE turn.place < $4
),
waiting AS MATERIALIZED (SELECT workspace_id, place FROM turn WHERE first_at <= now() ORDER BY place LIMIT $2),
alive AS MATERIALIZED (SELECT id FROM worker WHERE id = $1 FOR KEY SHARE),
candidate AS MATERIALIZED (
  SELECT due.id, waiting.place, row_number() OVER (PARTITION BY waiting.place ORDER BY due.available_at) AS rank
  FROM alive CROSS JOIN waiting CROSS JOIN LATERAL (
    SELECT id, available_at FROM execution
    WHERE workspace_id = waiting.workspace_id AND worker_id IS NULL AND available_at <= now()
    ORDER BY available_at
    LIMIT (SELECT ceil($2::numeric / greatest(count(*), 1)) FROM waiting)
    FOR UPDATE SKIP LOCKED) due
),
taken AS (
  UPDATE execution e SET worker_id = $1, available_at = NULL, claims = e.claims + 1
  WHERE e.id IN (SELECT id FROM candidate ORDER BY rank, place LIMIT $2)
  RETURNING e.id, e.workspace_id, e.workflow_id, e.workflow_version, e.status, CASE WHEN ${IS_INPUT_AWAY} THEN NULL ELSE e.input END AS input, CASE WHEN ${IS_INPUT_AWAY} THEN octet_length(e.input::text) END AS input_bytes, e.claims, e.revision, e.parent_id, e.override, e.until_node, e.is_limited,
    e.cancel_requested_at IS NOT NULL AS is_cancel_requested
)
SELECT taken.*, now() AS claimed_at, (SELECT count(*) FROM turn)::int AS seen, (SELECT max(workspace_id) FROM turn) AS last_seen,
  (SELECT count(*) FROM waiting)::int AS waiting, (SELECT max(workspace_id) FROM waiting) AS last_waiting,
  (SELECT extract(epoch FROM min(first_at) - now()) * 1000 FROM turn WHERE first_at > now())::float AS next_due_ms
FROM (SELECT 1) one LEFT JOIN taken ON true`;

interface Row {
  /** Null in the one row of a claim that took nothing. */
  id: string | null;
  workspace_id: string;
  workflow_id: string;
  workflow_version: number;
  status: ExecutionStatus;
  input: unknown;
  input_bytes: number | null;
  claims: number;
  revision: number;
  is_cancel_requested: boolean;
  parent_id: string | null;
  is_limited: boolean;
  override: Override | null;
  until_node: string | null;
  claimed_at: Date;
  seen: number;
  last_seen: string | null;
  waiting: number;
  last_waiting: string | null;
  next_due_ms: number | null;
}

/** Takes up to `free` runs for the worker, continuing the round of workspaces after `cursor`. */
export async function claim(workerId: string, free: number, cursor: string): Promise<Claim> {
  const { rows } = await pool().query<Row>({
    name: 'engine.claim',
    text: CLAIM,
    values: [workerId, free, cursor, MAX_WORKSPACES],
  });
  const runs = rows.flatMap((row) => (row.id === null ? [] : [runOf(row, row.id)]));
  const resumed = new Map(
    rows.flatMap((row, index) => (row.id !== null && row.revision > 0 && runs[index] ? [[row.id, runs[index]]] : [])),
  );
  if (resumed.size > 0) await recall(resumed);
  const [first] = rows;
  // All slots went to the first workspaces of the round, or there are more than one claim looks at: go on after them.
  const isCut = first !== undefined && first.waiting >= free;
  const stoppedAt = isCut ? first.last_waiting : first && first.seen >= MAX_WORKSPACES ? first.last_seen : null;
  const share = Math.ceil(free / Math.max(1, first?.waiting ?? 0));
  const isDrained = stoppedAt === null && cursor === '' && mostOfOne(runs) < share;
  return { runs, cursor: stoppedAt ?? '', isDrained, nextDueMs: first?.next_due_ms ?? null };
}

/** How many of the runs belong to the workspace that has most of them. */
function mostOfOne(runs: ClaimedRun[]): number {
  const counts = new Map<string, number>();
  for (const { workspaceId } of runs) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

const runOf = (row: Row, id: string): ClaimedRun => ({
  id,
  workspaceId: row.workspace_id,
  workflowId: row.workflow_id,
  workflowVersion: row.workflow_version,
  untilNodeId: row.until_node,
  status: row.status,
  input: row.input_bytes === null ? row.input : undefined,
  inputBytes: row.input_bytes,
  claims: row.claims,
  isCancelRequested: row.is_cancel_requested,
  claimedAt: row.claimed_at,
  parentId: row.parent_id,
  isLimited: row.is_limited,
  override: row.override,
  states: [],
  decisions: new Map(),
});

/** Gives runs that were under way before what they had come to. */
async function recall(runs: Map<string, ClaimedRun>): Promise<void> {
  const ids = [...runs.keys()];
  const [results, decisions] = await Promise.all([
    pool().query<StateRow & { execution_id: string }>({
      name: 'engine.recall',
      text: `SELECT execution_id, node_id, status, port, attempts, tries, error, started_at, completed_at, wake_at,
          CASE WHEN octet_length(held::text) > $2 THEN json_build_object('count', json_array_length(held -> 'items'),
            'concurrency', held -> 'concurrency', 'bytes', octet_length(held::text)) ELSE held END AS held,
          CASE WHEN large_bytes IS NULL THEN output END AS output, large_bytes, large_bytes IS NOT NULL AS is_away
        FROM node_result WHERE execution_id = ANY($1)`,
      values: [ids, LARGE],
    }),
    decisionsOf(ids),
  ]);
  for (const row of results.rows) runs.get(row.execution_id)?.states.push(stateOf(row));
  for (const [id, made] of decisions) runs.get(id)?.decisions.set(made.path, made.decision);
}

/** The decisions made in these executions, as [execution, {path, decision}]. */
export async function decisionsOf(ids: string[]): Promise<[string, { path: string; decision: Decision }][]> {
  const { rows } = await pool().query<{
    execution_id: string;
    node_id: string;
    decision: Decision['decision'];
    comment: string | null;
    decided_by: string;
    decided_at: Date;
  }>({
    name: 'engine.decisions',
    text: 'SELECT execution_id, node_id, decision, comment, decided_by, decided_at FROM decision WHERE execution_id = ANY($1)',
    values: [ids],
  });
  return rows.map((row) => {
    const { decision, comment, decided_by: decidedBy, decided_at } = row;
    const made = { decision, comment, decidedBy, decidedAt: decided_at.toISOString() };
    return [row.execution_id, { path: row.node_id, decision: made }];
  });
}
