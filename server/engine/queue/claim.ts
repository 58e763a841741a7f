import type pg from 'pg';
import type { ExecutionStatus, RunTrigger, Trigger, TriggerSource } from '@/contract/execution';
import type { Mocks } from '@/contract/workflows/workflow-test';
import { pool } from '@/server/db/client';
import type { Span } from '@/server/tracing/tracing';
import { LARGE } from '../store/large-values';
import { NO_CALLS } from './calls';
import { isOfValue, loadProgress, setUnreadable, type Progress } from './progress';

/** A claimed run with its stored state. */
export interface ClaimedRun extends Progress {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it is run; null: all nodes. */
  untilNodeId: string | null;
  trigger: RunTrigger;
  status: ExecutionStatus;
  /** Undefined if `inputBytes` is set: a large input stays in the database. */
  input: unknown;
  inputBytes: number | null;
  /** The number of worker processes that died while they ran it. */
  crashCount: number;
  isCancelRequested: boolean;
  /** The database's clock at the claim: a wait that is over by this clock is over. */
  claimedAt: Date;
  /** When it fails with TIMEOUT; null: never. */
  deadlineAt: Date | null;
  /** The run whose node started this run. */
  parentId: string | null;
  /** A concurrency limit applies: its end admits another run. */
  isLimited: boolean;
  /** Replaces the input of one node, or the outputs of nodes. */
  override: Override | null;
  /** The `traceparent` of what submitted it. */
  traceParent: string | null;
  /** Set while a worker has the run, if traces are exported. */
  span?: Span;
}

export interface Override {
  nodeId?: string;
  input?: unknown;
  /** For a run of a test: what nodes give in place of running. */
  mocks?: Mocks;
  /** Outputs of nodes that do not run, by their ids. */
  pins?: Readonly<Record<string, unknown>>;
}

export interface ClaimResult {
  runs: ClaimedRun[];
  /** Where the next claim continues, so that each workspace gets its turn; '' after the last workspace. */
  cursor: string;
  /** True: the claim left no due run. */
  isQueueEmpty: boolean;
  /** True: the claim reached the end of the round of workspaces. */
  isRoundOver: boolean;
  /** Milliseconds until the next run is due; null: no later run was seen. */
  nextDueMs: number | null;
}

/** Maximum number of workspaces that one claim covers. */
const MAX_WORKSPACES = 200;
/** The oldest due runs that a claim looks at. If there are no more, they are all. */
const OLDEST = 200;

/** `shared`: runs that share a process. `isolated`: runs that have a process to themselves. */
export type Queue = 'shared' | 'isolated';

const QUEUES: Record<Queue, string> = { shared: 'NOT is_alone', isolated: 'is_alone' };

/** SQL: the input is large. Only a parent run can pass one; the API refuses large inputs. */
const IS_INPUT_AWAY = `pg_column_size(e.input) > 2000 AND octet_length(e.input::text) > ${LARGE}`;

/**
 * Fair claim in one statement. The oldest due runs name the workspaces that are served; runs that wait for a later time are not visited. If
 * there may be more due runs (a backlog), a loose index scan also looks for due runs of the workspaces after the cursor, so that none is
 * hidden behind the runs of another. The free slots are divided among the workspaces, oldest runs first. Claims nothing without the worker's
 * row (fencing token), and no run that requires abilities which the worker lacks.
 */
const claimFrom = (queue: Queue, values: string) => {
  const isWaiting = `worker_id IS NULL AND available_at IS NOT NULL AND ${QUEUES[queue]} AND required_abilities & ~(SELECT abilities FROM alive) = 0`;
  return `
WITH RECURSIVE alive AS MATERIALIZED (SELECT id, abilities FROM worker WHERE id = $1 FOR KEY SHARE),
oldest AS MATERIALIZED (
  SELECT workspace_id FROM execution WHERE ${isWaiting} AND completed_at IS NULL AND available_at <= now() ORDER BY available_at LIMIT ${OLDEST}
),
turn AS (
  (SELECT workspace_id, available_at AS first_at, 1 AS place FROM execution
    WHERE ${isWaiting} AND workspace_id > $3 AND (SELECT count(*) FROM oldest) = ${OLDEST}
    ORDER BY workspace_id, available_at LIMIT 1)
  UNION ALL
  SELECT next.*, turn.place + 1 FROM turn CROSS JOIN LATERAL (
    SELECT workspace_id, available_at FROM execution
    WHERE ${isWaiting} AND workspace_id > turn.workspace_id
    ORDER BY workspace_id, available_at LIMIT 1) next
  WHERE turn.place < ${MAX_WORKSPACES}
),
waiting AS MATERIALIZED (
  SELECT workspace_id, workspace_id > $3 AS is_ahead, row_number() OVER (ORDER BY workspace_id > $3 DESC, workspace_id) AS place
  FROM (SELECT workspace_id FROM oldest UNION SELECT workspace_id FROM turn WHERE first_at <= now()) due
  ORDER BY place LIMIT $2
),
candidate AS MATERIALIZED (
  SELECT due.id, waiting.place, row_number() OVER (PARTITION BY waiting.place ORDER BY due.available_at) AS rank
  FROM alive CROSS JOIN waiting CROSS JOIN LATERAL (
    SELECT id, available_at FROM execution
    WHERE workspace_id = waiting.workspace_id AND ${isWaiting} AND available_at <= now()
    ORDER BY available_at
    LIMIT (SELECT ceil($2::numeric / greatest(count(*), 1)) FROM waiting)
    FOR UPDATE SKIP LOCKED) due
),
taken AS (
  UPDATE execution e SET worker_id = $1, available_at = NULL
  WHERE e.id IN (SELECT id FROM candidate ORDER BY rank, place LIMIT $2)
  RETURNING e.id, e.workspace_id, e.workflow_id, e.workflow_version, e.status, e.deaths, e.revision, e.parent_id, e.until_node, e.is_limited, e.deadline_at, e.trigger, e.trace_parent, ${values},
    e.cancel_requested_at IS NOT NULL AS is_cancel_requested
)
SELECT taken.*, now() AS claimed_at, (SELECT count(*) FROM oldest)::int AS due, (SELECT count(*) FROM turn)::int AS seen,
  (SELECT max(workspace_id) FROM turn) AS last_seen, (SELECT count(*) FROM waiting)::int AS served,
  (SELECT workspace_id FROM waiting ORDER BY place DESC LIMIT 1) AS last_served, (SELECT bool_and(is_ahead) FROM waiting) AS is_ahead,
  (SELECT extract(epoch FROM available_at - now()) * 1000 FROM execution
    WHERE ${isWaiting} AND completed_at IS NULL AND available_at > now()
    ORDER BY available_at LIMIT 1)::float AS next_due_ms
FROM (SELECT 1) one LEFT JOIN taken ON true`;
};

/** SQL: what users have stored in a run. */
const VALUES = `CASE WHEN ${IS_INPUT_AWAY} THEN NULL ELSE e.input END AS input,
    CASE WHEN ${IS_INPUT_AWAY} THEN octet_length(e.input::text) END AS input_bytes, e.override, e.triggered_by`;
const NO_VALUES = 'NULL::json AS input, NULL::int AS input_bytes, NULL::json AS override, NULL::json AS triggered_by';

const CLAIMS: Record<Queue, pg.QueryConfig> = {
  shared: { name: 'engine.claim', text: claimFrom('shared', VALUES) },
  isolated: { name: 'engine.claim-alone', text: claimFrom('isolated', VALUES) },
};

interface Row {
  /** Null in the single row of an empty claim. */
  id: string | null;
  workspace_id: string;
  workflow_id: string;
  workflow_version: number;
  trigger: Trigger;
  triggered_by: TriggerSource | null;
  status: ExecutionStatus;
  input: unknown;
  input_bytes: number | null;
  deaths: number;
  revision: number;
  is_cancel_requested: boolean;
  parent_id: string | null;
  is_limited: boolean;
  override: Override | null;
  until_node: string | null;
  deadline_at: Date | null;
  trace_parent: string | null;
  claimed_at: Date;
  /** How many of the oldest due runs it saw. */
  due: number;
  /** How many workspaces after the cursor it visited, and the last of them. */
  seen: number;
  last_seen: string | null;
  /** How many workspaces it served, the last of them, and whether all of them are after the cursor. */
  served: number;
  last_served: string | null;
  is_ahead: boolean | null;
  next_due_ms: number | null;
}

/** Claims up to `free` runs for the worker, continuing the round of workspaces after `cursor`. */
export async function claim(
  workerId: string,
  free: number,
  cursor: string,
  queue: Queue = 'shared',
): Promise<ClaimResult> {
  const parameters = [workerId, free, cursor];
  let rows: Row[];
  let runs: ClaimedRun[];
  try {
    ({ rows } = await pool().query<Row>({ ...CLAIMS[queue], values: parameters }));
    runs = claimedRuns(rows);
  } catch (error) {
    if (!isOfValue(error)) throw error;
    ({ rows } = await pool().query<Row>(claimFrom(queue, NO_VALUES), parameters));
    runs = claimedRuns(rows);
    for (const run of runs) await loadValues(run);
  }
  const resumed = new Map(
    rows.flatMap((row, index) => (row.id !== null && row.revision > 0 && runs[index] ? [[row.id, runs[index]]] : [])),
  );
  if (resumed.size > 0) await loadProgress(resumed);
  const [first] = rows;
  if (!first) throw new Error('A claim has one row at least.');
  const next = cursorAfter(first, free);
  const share = Math.ceil(free / Math.max(1, first.served));
  const isQueueEmpty = first.due < OLDEST && next === '' && maxPerWorkspace(runs) < share;
  const isRoundOver = next === '' || first.is_ahead === false;
  return { runs, cursor: next, isQueueEmpty, isRoundOver, nextDueMs: first.next_due_ms };
}

const claimedRuns = (rows: Row[]): ClaimedRun[] => rows.flatMap((row) => (row.id === null ? [] : [runOf(row, row.id)]));

type Values = Pick<Row, 'input' | 'input_bytes' | 'override' | 'triggered_by'>;

/** Loads what users have stored in one run. If it is damaged, this run is `unreadable`, and no other. */
async function loadValues(run: ClaimedRun): Promise<void> {
  try {
    const { rows } = await pool().query<Values>(`SELECT ${VALUES} FROM execution e WHERE id = $1`, [run.id]);
    for (const row of rows) Object.assign(run, valuesOf(row, run.trigger.kind));
  } catch (error) {
    if (!isOfValue(error)) throw error;
    setUnreadable(run, error);
  }
}

/** Where the next claim continues; '' if this one saw the last workspace and had slots for all that were due. */
function cursorAfter({ served, last_served, is_ahead, seen, last_seen }: Row, free: number): string {
  const isAllSeen = seen < MAX_WORKSPACES;
  if (served >= free && (is_ahead || isAllSeen)) return last_served ?? '';
  return isAllSeen ? '' : (last_seen ?? '');
}

/** The largest number of runs that belong to one workspace. */
function maxPerWorkspace(runs: ClaimedRun[]): number {
  const counts = new Map<string, number>();
  for (const { workspaceId } of runs) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** What started a run, for expressions. */
export const runTrigger = (kind: Trigger, source: TriggerSource | null | undefined): RunTrigger =>
  source ? { kind, id: source.id, name: source.name } : { kind, id: null, name: null };

const valuesOf = ({ input, input_bytes: inputBytes, override, triggered_by }: Values, kind: Trigger) => ({
  trigger: runTrigger(kind, triggered_by),
  input: inputBytes === null ? input : undefined,
  inputBytes,
  override,
});

const runOf = (row: Row, id: string): ClaimedRun => ({
  id,
  workspaceId: row.workspace_id,
  workflowId: row.workflow_id,
  workflowVersion: row.workflow_version,
  untilNodeId: row.until_node,
  status: row.status,
  ...valuesOf(row, row.trigger),
  crashCount: row.deaths,
  isCancelRequested: row.is_cancel_requested,
  claimedAt: row.claimed_at,
  deadlineAt: row.deadline_at,
  parentId: row.parent_id,
  isLimited: row.is_limited,
  traceParent: row.trace_parent,
  states: [],
  decisions: new Map(),
  calls: NO_CALLS,
  unreadable: null,
});
