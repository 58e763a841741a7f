import type { ExecutionStatus, RunError } from '@/contract/execution';
import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '../db/client';
import { gather } from '../db/gather';
import { isTransient } from '../db/transient';
import { dispatcher } from '../dispatch/dispatcher';
import { log } from '../log';
import { payloads } from './channels';
import { wakeParents } from './children';
import { admit } from './limits';
import { given, jsonText, LOG, newsTables, RESULT, Table, timeText, width, type Columns, type News } from './rows';

/** One step of one run, written whole or not at all. */
export interface Checkpoint extends News {
  /** The run whose node started this one: woken by its end. */
  parentId: string | null;
  /** The workspace in which its end makes room for another run; null: no limit holds for it. */
  limitedIn: string | null;
  status: ExecutionStatus;
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

/** What a step makes of its run. */
export const OUTCOME = {
  status: 'text',
  output: 'json',
  error: 'json',
  completed_at: 'timestamptz',
  is_released: 'bool',
  available_at: 'timestamptz',
  has_progressed: 'bool',
} satisfies Columns;

/** The row of `OUTCOME`. */
export const outcomeOf = ({ status, final, release, hasProgressed }: Checkpoint, now: string | null) => [
  status,
  final?.json ?? null,
  jsonText(final?.error ?? null),
  final && now,
  final !== null || release !== null,
  timeText(release?.availableAt ?? null),
  hasProgressed,
];

const STEP = { id: 'text', ...OUTCOME, unless_wished: 'bool' } satisfies Columns;

const RESULTS_AT = 3 + width(STEP);
const LOGS_AT = RESULTS_AT + width(RESULT);

/**
 * The worker's row is the fencing token: it is locked against deletion for as long as this statement takes, and
 * without it nothing is written. A cancellation that was asked for in time turns every end into CANCELLED.
 */
const WRITE = `
WITH alive AS MATERIALIZED (SELECT id FROM worker WHERE id = $1 FOR KEY SHARE),
step AS (
  SELECT * FROM ${given(STEP, 3, 's')}
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
  INSERT INTO node_result (${Object.keys(RESULT).join(', ')}, revision)
  SELECT r.*, moved.revision FROM ${given(RESULT, RESULTS_AT, 'r')}
  JOIN moved ON moved.id = r.execution_id
  ON CONFLICT (execution_id, node_id) DO UPDATE SET
    status = excluded.status, port = excluded.port, attempts = excluded.attempts, output = excluded.output,
    error = excluded.error, started_at = excluded.started_at, completed_at = excluded.completed_at,
    wake_at = excluded.wake_at, tries = excluded.tries, large_bytes = excluded.large_bytes, held = coalesce(excluded.held, node_result.held), revision = excluded.revision
  WHERE node_result.status NOT IN ('completed', 'failed')
),
logged AS (
  INSERT INTO log_entry (${Object.keys(LOG).join(', ')})
  SELECT l.execution_id, l.node_id, l.level, l.message, l.timestamp
  FROM ${given(LOG, LOGS_AT, 'l', { ordinality: 'position' })}
  JOIN moved ON moved.id = l.execution_id
  ORDER BY l.position
)
SELECT (SELECT coalesce(json_object_agg(id, is_cancelled), '{}') FROM moved) AS moved,
  (SELECT count(pg_notify('weft_changes', payload)) FROM unnest($2::text[]) payload)`;

/** `isNotified`: the commit tells whoever watches. */
function parameters(workerId: string, steps: Checkpoint[], isNotified: boolean): unknown[] {
  const now = timeText(new Date());
  const table = new Table(STEP);
  for (const step of steps) table.add([step.executionId, ...outcomeOf(step, now), step.unlessWished]);
  const { results, logs } = newsTables(steps);
  const told = isNotified ? payloads(steps.map(({ executionId }) => executionId)) : [];
  return [workerId, told, ...table.parameters, ...results, ...logs];
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

/** Where commits notify nobody: whoever watches is told of these steps, and timers are set. */
export function tell(steps: Checkpoint[]): void {
  const { changed, offer } = dispatcher();
  changed(steps.map(({ executionId }) => executionId));
  for (const { release } of steps) if (release?.availableAt) offer(release.availableAt);
}

/** Characters of what a step writes, roughly. */
export const weigh = ({ nodes, final, logs }: Checkpoint) =>
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
