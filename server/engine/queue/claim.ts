import type pg from 'pg';
import type { ExecutionStatus, TriggerVariable, TriggerType, TriggerSource } from '@/contract/execution';
import type { NodeMocks } from '@/contract/workflows/workflow-test';
import { databasePool } from '@/server/platform/db/client';
import type { TraceSpan } from '@/server/platform/tracing/tracing';
import { IN_MEMORY_OUTPUT_LIMIT } from '../store/large-values';
import { NO_RECEIVED_CALLS } from './calls';
import { isStoredValueError, loadRunProgress, markRunUnreadable, type RunProgress } from './progress';

/** A claimed run with its stored state. */
export interface ClaimedRun extends RunProgress {
  workspaceId: string;
  workflowId: string;
  workflowVersion: number;
  /** The node up to which it is run; null: all nodes. */
  untilNodeId: string | null;
  /** The start node at which it begins; null: every start node. */
  startNodeId: string | null;
  trigger: TriggerVariable;
  status: ExecutionStatus;
  /** Undefined if `inputBytes` is set: a large input stays in the database. */
  input: unknown;
  inputBytes: number | null;
  /** The number of worker processes that died while they executed the run. */
  crashCount: number;
  isCancelRequested: boolean;
  /** The database's clock at the claim: a wait that is over by this clock is over. */
  claimedAt: Date;
  /** When the run fails with TIMEOUT; null: never. */
  deadlineAt: Date | null;
  /** The run whose node started this run. */
  parentId: string | null;
  /** A concurrency limit applies: its end admits another run. */
  isLimited: boolean;
  /** Replaces the input of one node, or the outputs of nodes. */
  override: RunOverride | null;
  /** The `traceparent` of the request that submitted the run. */
  traceParent: string | null;
  /** Set while a worker has the run, if traces are exported. */
  span?: TraceSpan;
}

export interface RunOverride {
  /** This node takes only the first item of its list. */
  firstItemOf?: string;
  nodeId?: string;
  input?: unknown;
  /** The results of nodes that a test does not execute. */
  mocks?: NodeMocks;
  /** Outputs of nodes that do not run, by their ids. */
  pins?: Readonly<Record<string, unknown>>;
}

export interface RunClaimResult {
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
const MAX_CLAIM_WORKSPACES = 200;
/** Limit of the oldest due runs that a claim reads. If it reads fewer, these are all due runs. */
const MAX_OLDEST_RUNS = 200;

/** `shared`: runs that share a process. `isolated`: runs that need a process of their own. */
export type RunQueue = 'shared' | 'isolated';

const RUN_QUEUE_CONDITIONS: Record<RunQueue, string> = { shared: 'NOT is_alone', isolated: 'is_alone' };

/** SQL: the input is large. Only a parent run can pass one; the API refuses large inputs. */
const IS_INPUT_OFFLOADED_SQL = `pg_column_size(e.input) > 2000 AND octet_length(e.input::text) > ${IN_MEMORY_OUTPUT_LIMIT}`;

/**
 * Fair claim in one statement. The oldest due runs name the workspaces that are served; runs that wait for a later time
 * are not visited. If there may be more due runs (a backlog), a loose index scan also looks for due runs of the
 * workspaces after the cursor, so that none is hidden behind the runs of another. The free slots are divided among the
 * workspaces, oldest runs first. Claims nothing without the worker's row (fencing token), and no run that requires
 * abilities which the worker lacks.
 */
const buildClaimSql = (queue: RunQueue, values: string) => {
  const isWaiting = `worker_id IS NULL AND available_at IS NOT NULL AND ${RUN_QUEUE_CONDITIONS[queue]} AND required_abilities & ~(SELECT abilities FROM alive) = 0`;
  return `
WITH RECURSIVE alive AS MATERIALIZED (SELECT id, abilities FROM worker WHERE id = $1 FOR KEY SHARE),
oldest AS MATERIALIZED (
  SELECT workspace_id FROM execution WHERE ${isWaiting} AND completed_at IS NULL AND available_at <= now() ORDER BY available_at LIMIT ${MAX_OLDEST_RUNS}
),
turn AS (
  (SELECT workspace_id, available_at AS first_at, 1 AS place FROM execution
    WHERE ${isWaiting} AND workspace_id > $3 AND (SELECT count(*) FROM oldest) = ${MAX_OLDEST_RUNS}
    ORDER BY workspace_id, available_at LIMIT 1)
  UNION ALL
  SELECT next.*, turn.place + 1 FROM turn CROSS JOIN LATERAL (
    SELECT workspace_id, available_at FROM execution
    WHERE ${isWaiting} AND workspace_id > turn.workspace_id
    ORDER BY workspace_id, available_at LIMIT 1) next
  WHERE turn.place < ${MAX_CLAIM_WORKSPACES}
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
  RETURNING e.id, e.workspace_id, e.workflow_id, e.workflow_version, e.status, e.deaths, e.revision, e.parent_id, e.until_node, e.start_node_id, e.is_limited, e.deadline_at, e.trigger, e.trace_parent, ${values},
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

/** SQL: the values of a run that users have provided. */
const USER_VALUES_SQL = `CASE WHEN ${IS_INPUT_OFFLOADED_SQL} THEN NULL ELSE e.input END AS input,
    CASE WHEN ${IS_INPUT_OFFLOADED_SQL} THEN octet_length(e.input::text) END AS input_bytes, e.override, e.triggered_by`;
const NO_USER_VALUES_SQL =
  'NULL::json AS input, NULL::int AS input_bytes, NULL::json AS override, NULL::json AS triggered_by';

const CLAIM_QUERIES: Record<RunQueue, pg.QueryConfig> = {
  shared: { name: 'engine.claim', text: buildClaimSql('shared', USER_VALUES_SQL) },
  isolated: { name: 'engine.claim-alone', text: buildClaimSql('isolated', USER_VALUES_SQL) },
};

interface ClaimedRunRow {
  /** Null in the single row of an empty claim. */
  id: string | null;
  workspace_id: string;
  workflow_id: string;
  workflow_version: number;
  trigger: TriggerType;
  triggered_by: TriggerSource | null;
  status: ExecutionStatus;
  input: unknown;
  input_bytes: number | null;
  deaths: number;
  revision: number;
  is_cancel_requested: boolean;
  parent_id: string | null;
  is_limited: boolean;
  override: RunOverride | null;
  until_node: string | null;
  start_node_id: string | null;
  deadline_at: Date | null;
  trace_parent: string | null;
  claimed_at: Date;
  /** How many of the oldest due runs the claim read. */
  due: number;
  /** How many workspaces after the cursor the claim visited, and the last of them. */
  seen: number;
  last_seen: string | null;
  /** How many workspaces the claim served, the last of them, and whether all of them are after the cursor. */
  served: number;
  last_served: string | null;
  is_ahead: boolean | null;
  next_due_ms: number | null;
}

/** Claims up to `free` runs for the worker, continuing the round of workspaces after `cursor`. */
export async function claimRuns(
  workerId: string,
  free: number,
  cursor: string,
  queue: RunQueue = 'shared',
): Promise<RunClaimResult> {
  const parameters = [workerId, free, cursor];
  let rows: ClaimedRunRow[];
  let runs: ClaimedRun[];
  try {
    ({ rows } = await databasePool().query<ClaimedRunRow>({ ...CLAIM_QUERIES[queue], values: parameters }));
    runs = toClaimedRuns(rows);
  } catch (error) {
    if (!isStoredValueError(error)) throw error;
    ({ rows } = await databasePool().query<ClaimedRunRow>(buildClaimSql(queue, NO_USER_VALUES_SQL), parameters));
    runs = toClaimedRuns(rows);
    for (const run of runs) await loadUserValues(run);
  }
  const resumed = new Map(
    rows.flatMap((row, index) => (row.id !== null && row.revision > 0 && runs[index] ? [[row.id, runs[index]]] : [])),
  );
  if (resumed.size > 0) await loadRunProgress(resumed);
  const [first] = rows;
  if (!first) throw new Error('A claim has one row at least.');
  const next = nextClaimCursor(first, free);
  const share = Math.ceil(free / Math.max(1, first.served));
  const isQueueEmpty = first.due < MAX_OLDEST_RUNS && next === '' && maxRunsPerWorkspace(runs) < share;
  const isRoundOver = next === '' || first.is_ahead === false;
  return { runs, cursor: next, isQueueEmpty, isRoundOver, nextDueMs: first.next_due_ms };
}

const toClaimedRuns = (rows: ClaimedRunRow[]): ClaimedRun[] =>
  rows.flatMap((row) => (row.id === null ? [] : [toClaimedRun(row, row.id)]));

type UserValues = Pick<ClaimedRunRow, 'input' | 'input_bytes' | 'override' | 'triggered_by'>;

/** Loads the values of one run that users have provided. If they are damaged, only this run is marked as unreadable. */
async function loadUserValues(run: ClaimedRun): Promise<void> {
  try {
    const { rows } = await databasePool().query<UserValues>(
      `SELECT ${USER_VALUES_SQL} FROM execution e WHERE id = $1`,
      [run.id],
    );
    for (const row of rows) Object.assign(run, toUserValues(row, run.trigger.kind));
  } catch (error) {
    if (!isStoredValueError(error)) throw error;
    markRunUnreadable(run, error);
  }
}

/**
 * Returns where the next claim continues; '' if this claim reached the last workspace and had slots for all due runs.
 */
function nextClaimCursor({ served, last_served, is_ahead, seen, last_seen }: ClaimedRunRow, free: number): string {
  const isAllSeen = seen < MAX_CLAIM_WORKSPACES;
  if (served >= free && (is_ahead || isAllSeen)) return last_served ?? '';
  return isAllSeen ? '' : (last_seen ?? '');
}

/** The largest number of runs that belong to one workspace. */
function maxRunsPerWorkspace(runs: ClaimedRun[]): number {
  const counts = new Map<string, number>();
  for (const { workspaceId } of runs) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Converts the trigger of a run to the form that expressions see. */
export const toRunTrigger = (kind: TriggerType, source: TriggerSource | null | undefined): TriggerVariable =>
  source ? { kind, id: source.id, name: source.name } : { kind, id: null, name: null };

const toUserValues = ({ input, input_bytes: inputBytes, override, triggered_by }: UserValues, kind: TriggerType) => ({
  trigger: toRunTrigger(kind, triggered_by),
  input: inputBytes === null ? input : undefined,
  inputBytes,
  override,
});

const toClaimedRun = (row: ClaimedRunRow, id: string): ClaimedRun => ({
  id,
  workspaceId: row.workspace_id,
  workflowId: row.workflow_id,
  workflowVersion: row.workflow_version,
  untilNodeId: row.until_node,
  startNodeId: row.start_node_id,
  status: row.status,
  ...toUserValues(row, row.trigger),
  crashCount: row.deaths,
  isCancelRequested: row.is_cancel_requested,
  claimedAt: row.claimed_at,
  deadlineAt: row.deadline_at,
  parentId: row.parent_id,
  isLimited: row.is_limited,
  traceParent: row.trace_parent,
  states: [],
  decisions: new Map(),
  calledPaths: NO_RECEIVED_CALLS,
  unreadableReason: null,
});
