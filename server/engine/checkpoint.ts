import type { ExecutionStatus, LogLevel, RunError } from '@/contract/execution';
import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '../db/client';
import { gather } from '../db/gather';
import { isTransient } from '../db/transient';
import { dispatcher } from '../dispatch/dispatcher';
import { log } from '../log';
import { payloads } from './channels';
import { wakeParents } from './children';
import { admit } from './limits';
import type { NodeState } from './state';

export interface LogLine {
  path: string | null;
  level: LogLevel;
  message: string;
  timestamp: Date;
}

/** A node's state to be written. */
export interface Row {
  state: NodeState;
  /** Its output. */
  json: string | null;
  /** What it holds; null: as before. */
  heldJson: string | null;
}

/** One step of one run, written whole or not at all. */
export interface Checkpoint {
  executionId: string;
  /** The run whose node started this one: woken by its end. */
  parentId: string | null;
  /** The workspace in which its end makes room for another run; null: no limit holds for it. */
  limitedIn: string | null;
  status: ExecutionStatus;
  nodes: Row[];
  logs: LogLine[];
  /** Set: this is the run's end. `json`: its output. */
  final: { json: string | null; error: RunError | null } | null;
  /** Set: the worker lets go of it until then; null: until a wish comes. */
  release: { availableAt: Date | null } | null;
  /** A node has settled: the run isn't one that kills its workers. */
  hasProgressed: boolean;
  /** Not to be written if somebody decided or cancelled meanwhile. */
  unlessWished: boolean;
}

/** `refused`: the run is no longer this worker's, it is final, or a wish came before `unlessWished`. */
export type Written = 'written' | 'cancel-requested' | 'refused';
export type WriteCheckpoint = (checkpoint: Checkpoint) => Promise<Written>;

const RETRY_MS = 200;

/**
 * The worker's row is the fencing token: it is locked against deletion for as long as this statement takes, and
 * without it nothing is written. A cancellation that was asked for in time turns every end into CANCELLED.
 */
const WRITE = `
WITH alive AS MATERIALIZED (SELECT id FROM worker WHERE id = $1 FOR KEY SHARE),
step AS (
  SELECT * FROM unnest($2::text[], $3::text[], $4::text[]::json[], $5::text[]::json[], $6::timestamptz[], $7::bool[],
    $8::timestamptz[], $9::bool[], $10::bool[])
    AS s(id, status, output, error, completed_at, is_released, available_at, has_progressed, unless_wished)
),
moved AS (
  UPDATE execution e SET
    status = CASE WHEN s.completed_at IS NOT NULL AND e.cancel_requested_at IS NOT NULL THEN 'failed' ELSE s.status END,
    output = CASE WHEN e.cancel_requested_at IS NULL THEN s.output END,
    error = CASE WHEN s.completed_at IS NOT NULL AND e.cancel_requested_at IS NOT NULL
      THEN '{"code":"CANCELLED","message":"The run was cancelled.","nodeId":null}'::json ELSE s.error END,
    completed_at = s.completed_at,
    worker_id = CASE WHEN s.is_released THEN NULL ELSE e.worker_id END,
    available_at = CASE WHEN s.completed_at IS NOT NULL THEN NULL
      WHEN s.is_released THEN least(e.available_at, s.available_at) ELSE e.available_at END,
    claims = CASE WHEN s.has_progressed OR s.is_released THEN 0 ELSE e.claims END,
    revision = e.revision + 1
  FROM step s, alive
  WHERE e.id = s.id AND e.worker_id IS NOT DISTINCT FROM alive.id AND e.status NOT IN ('completed', 'failed')
    AND NOT (s.unless_wished AND e.available_at IS NOT NULL)
  RETURNING e.id, e.revision, e.cancel_requested_at IS NOT NULL AS is_cancelled
),
results AS (
  INSERT INTO node_result (execution_id, node_id, status, port, attempts, output, error, started_at, completed_at,
    wake_at, held, large_bytes, tries, revision)
  SELECT r.execution_id, r.node_id, r.status, r.port, r.attempts, r.output, r.error, r.started_at, r.completed_at,
    r.wake_at, r.held, r.large_bytes, r.tries, moved.revision
  FROM unnest($11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::text[]::json[], $17::text[]::json[],
    $18::timestamptz[], $19::timestamptz[], $20::timestamptz[], $21::text[]::json[], $28::int[], $29::text[]::json[])
    AS r(execution_id, node_id, status, port, attempts, output, error, started_at, completed_at, wake_at, held, large_bytes, tries)
  JOIN moved ON moved.id = r.execution_id
  ON CONFLICT (execution_id, node_id) DO UPDATE SET
    status = excluded.status, port = excluded.port, attempts = excluded.attempts, output = excluded.output,
    error = excluded.error, started_at = excluded.started_at, completed_at = excluded.completed_at,
    wake_at = excluded.wake_at, tries = excluded.tries, large_bytes = excluded.large_bytes, held = coalesce(excluded.held, node_result.held), revision = excluded.revision
  WHERE node_result.status NOT IN ('completed', 'failed')
),
logged AS (
  INSERT INTO log_entry (execution_id, node_id, level, message, timestamp)
  SELECT l.execution_id, l.node_id, l.level, l.message, l.timestamp
  FROM unnest($22::text[], $23::text[], $24::text[], $25::text[], $26::timestamptz[])
    WITH ORDINALITY AS l(execution_id, node_id, level, message, timestamp, position)
  JOIN moved ON moved.id = l.execution_id
  ORDER BY l.position
)
SELECT (SELECT coalesce(json_object_agg(id, is_cancelled), '{}') FROM moved) AS moved,
  (SELECT count(pg_notify('weft_changes', payload)) FROM unnest($27::text[]) payload)`;

/** Times of one flush are close together: most are the text of the one before. */
let latest = { at: Number.NaN, text: '' };
function time(date: Date | null): string | null {
  if (!date) return null;
  const at = date.getTime();
  if (at !== latest.at) latest = { at, text: date.toISOString() };
  return latest.text;
}
const json = (value: object | null) => (value ? JSON.stringify(value) : null);

/** `isNotified`: the commit tells whoever watches. */
function parameters(workerId: string, steps: Checkpoint[], isNotified: boolean): unknown[] {
  const column = <Row>(rows: Row[], ...pick: ((row: Row) => unknown)[]) => pick.map((one) => rows.map(one));
  const nodes = steps.flatMap((step) => step.nodes.map((node) => ({ ...node, executionId: step.executionId })));
  const logs = steps.flatMap((step) => step.logs.map((line) => ({ ...line, executionId: step.executionId })));
  const now = new Date();
  return [
    workerId,
    ...column(
      steps,
      (step) => step.executionId,
      (step) => step.status,
      (step) => step.final?.json ?? null,
      (step) => json(step.final?.error ?? null),
      (step) => (step.final ? time(now) : null),
      (step) => step.final !== null || step.release !== null,
      (step) => time(step.release?.availableAt ?? null),
      (step) => step.hasProgressed,
      (step) => step.unlessWished,
    ),
    ...column(
      nodes,
      (row) => row.executionId,
      ({ state }) => state.path,
      ({ state }) => state.status,
      ({ state }) => state.port,
      ({ state }) => state.attempts,
      (row) => row.json,
      ({ state }) => json(state.error),
      ({ state }) => time(state.startedAt),
      ({ state }) => time(state.completedAt),
      ({ state }) => time(state.wakeAt),
      (row) => row.heldJson,
    ),
    ...column(
      logs,
      (line) => line.executionId,
      (line) => line.path,
      (line) => line.level,
      (line) => line.message,
      (line) => time(line.timestamp),
    ),
    isNotified ? payloads(steps.map((step) => step.executionId)) : [],
    nodes.map(({ state }) => state.largeBytes),
    nodes.map(({ state }) => (state.tries.length > 0 ? JSON.stringify(state.tries) : null)),
  ];
}

/** What follows from the ends of runs: parents go on, queued runs are let go. If it fails, the sweeps find them. */
async function follow(ended: Checkpoint[]): Promise<void> {
  const parents = ended.flatMap(({ parentId }) => parentId ?? []);
  const limited = ended.flatMap(({ limitedIn }) => limitedIn ?? []);
  try {
    if (parents.length > 0) await wakeParents(parents);
    if (limited.length > 0) await admit(limited);
  } catch (error) {
    log().warn({ err: error }, 'what waits for ended runs was not told');
  }
}

function tell(steps: Checkpoint[]): void {
  const { changed, offer } = dispatcher();
  changed(steps.map(({ executionId }) => executionId));
  for (const { release } of steps) if (release?.availableAt) offer(release.availableAt);
}

const weigh = ({ nodes, final, logs }: Checkpoint) =>
  nodes.reduce((sum, node) => sum + (node.json?.length ?? 0) + (node.heldJson?.length ?? 0), 0) +
  (final?.json?.length ?? 0) +
  logs.length * 100;

/**
 * The one writer of a worker. While the database is away it waits and tries again, until `lost`: then the promises
 * reject. A step that was committed although its answer got lost changes nothing when it is written again.
 */
export function checkpointWriter(workerId: string, lost: AbortSignal): WriteCheckpoint {
  async function flush(steps: Checkpoint[]): Promise<Written[]> {
    const { isInDatabase } = dispatcher();
    for (;;) {
      lost.throwIfAborted();
      try {
        const { rows } = await pool().query<{ moved: Record<string, boolean> }>({
          name: 'engine.checkpoint',
          text: WRITE,
          values: parameters(workerId, steps, isInDatabase),
        });
        if (!isInDatabase) tell(steps);
        const moved = rows[0]?.moved ?? {};
        await follow(steps.filter(({ executionId, final }) => final && executionId in moved));
        return steps.map(({ executionId }) => {
          const isCancelled = moved[executionId];
          return isCancelled === undefined ? 'refused' : isCancelled ? 'cancel-requested' : 'written';
        });
      } catch (error) {
        if (!isTransient(error)) throw error;
        await pause(RETRY_MS);
      }
    }
  }
  return gather(flush, { weigh });
}
