import type { ExecutionStatus, RunError } from '@/contract/execution';
import { setTimeout as pause } from 'node:timers/promises';
import { pool } from '@/server/db/client';
import { groupCommit } from '@/server/db/group-commit';
import { isPassingFailure } from '@/server/db/failures/verdict';
import { dispatcher } from '@/server/dispatch/dispatcher';
import { payloads } from '@/server/db/notify-channels';
import type { RunAnswer } from '@/server/nodes/node';
import { jsonText, LOG, pendingTables, RESULT, ColumnArrays, timeText, type Columns, type PendingWrites } from './rows';
import { byRunCount, StatementParameters } from './statement';

/** One step of one run, written atomically. */
export interface Checkpoint extends PendingWrites {
  /** The parent run, which is woken by the end of this run. */
  parentId: string | null;
  /** The workspace in which the end of this run admits another; null: no concurrency limit applies. */
  limitedIn: string | null;
  status: ExecutionStatus;
  /** Set: the run ends with this step. `json`: its output. */
  final: { json: string | null; error: RunError | null } | null;
  /** Set: the worker releases the run until `availableAt`; null: until a signal arrives. */
  release: { availableAt: Date | null } | null;
  /** The answer to the caller of the run; null: none, or no new one. */
  answer: RunAnswer | null;
  /** True: the step is refused if a decision or cancellation has arrived meanwhile. */
  unlessSignalled: boolean;
}

/** `refused`: another worker owns the run, it is final, or a signal came first and `unlessSignalled` is set. */
export type Written = 'written' | 'cancel-requested' | 'refused';
export type WriteCheckpoint = (checkpoint: Checkpoint) => Promise<Written>;
/** What follows the stored ends of runs. Never rejects. */
export type AfterEnds = (ended: readonly Checkpoint[]) => Promise<void>;

const RETRY_MS = 200;

/** Those of `execution_answer`. */
export const ANSWER = { execution_id: 'text', answer: 'json' } satisfies Columns;
export const INSERT_ANSWERS = `INSERT INTO execution_answer (${Object.keys(ANSWER).join(', ')})`;

export const hasAnswers = (steps: readonly Checkpoint[]): boolean => steps.some(({ answer }) => answer !== null);

/** Rows of `ANSWER`. */
export function answerRows(steps: readonly Checkpoint[]): ColumnArrays {
  const answers = new ColumnArrays(ANSWER);
  for (const { executionId, answer } of steps) if (answer) answers.add([executionId, JSON.stringify(answer)]);
  return answers;
}

/** Columns of the execution that a step sets. */
export const OUTCOME = {
  status: 'text',
  output: 'json',
  error: 'json',
  completed_at: 'timestamptz',
  is_released: 'bool',
  available_at: 'timestamptz',
} satisfies Columns;

/** The `OUTCOME` columns of a step. */
export const outcomeCells = ({ status, final, release }: Checkpoint, now: string | null) => [
  status,
  final?.json ?? null,
  jsonText(final?.error ?? null),
  final && now,
  final !== null || release !== null,
  timeText(release?.availableAt ?? null),
];

const STEP = { id: 'text', ...OUTCOME, unless_signalled: 'bool' } satisfies Columns;

const VALUES = ['worker', 'changes'] as const;
const SOURCES = { step: STEP, results: RESULT, logs: LOG };
const PARAMETERS = new StatementParameters(VALUES, SOURCES);
const ANSWERING_PARAMETERS = new StatementParameters(VALUES, { ...SOURCES, answers: ANSWER });

type SharedParameters = Pick<typeof PARAMETERS, 'value' | 'table'>;

/**
 * The worker's row is the fencing token: it is locked against deletion during this statement, and without it nothing is
 * written. A cancellation that was requested in time turns every end into CANCELLED.
 */
const statement = (parameters: SharedParameters, { also = '', returning = '', select = '', onlyLogs = '' } = {}) => `
WITH alive AS MATERIALIZED (SELECT id FROM worker WHERE id = ${parameters.value('worker')} FOR KEY SHARE),
step AS (
  SELECT * FROM ${parameters.table('step', 's')}
),
updated AS (
  UPDATE execution e SET
    status = CASE WHEN s.completed_at IS NOT NULL AND e.cancel_requested_at IS NOT NULL THEN 'failed' ELSE s.status END,
    output = CASE WHEN e.cancel_requested_at IS NULL THEN s.output END,
    error = CASE WHEN s.completed_at IS NOT NULL AND e.cancel_requested_at IS NOT NULL
      THEN '{"code":"CANCELLED","message":"The run was cancelled.","nodeId":null}'::json ELSE s.error END,
    completed_at = s.completed_at,
    worker_id = CASE WHEN s.is_released THEN NULL ELSE e.worker_id END,
    available_at = CASE WHEN s.completed_at IS NOT NULL THEN NULL
      WHEN s.is_released THEN least(e.available_at, s.available_at) ELSE e.available_at END,
    revision = e.revision + 1
  FROM step s, alive
  WHERE e.id = s.id AND e.worker_id IS NOT DISTINCT FROM alive.id AND e.status NOT IN ('completed', 'failed')
    AND NOT (s.unless_signalled AND e.available_at IS NOT NULL)
  RETURNING e.id, e.revision, e.trigger, e.cancel_requested_at IS NOT NULL AS is_cancelled
),
results AS (
  INSERT INTO node_result (${Object.keys(RESULT).join(', ')}, revision)
  SELECT r.*, updated.revision FROM ${parameters.table('results', 'r')}
  JOIN updated ON updated.id = r.execution_id
  ON CONFLICT (execution_id, node_id) DO UPDATE SET
    status = excluded.status, port = excluded.port, attempts = excluded.attempts, output = excluded.output,
    error = excluded.error, started_at = excluded.started_at, completed_at = excluded.completed_at,
    wake_at = excluded.wake_at, tries = excluded.tries, large_bytes = excluded.large_bytes, held = coalesce(excluded.held, node_result.held),
    round = CASE WHEN excluded.held IS NULL THEN node_result.round ELSE excluded.round END,
    child_id = CASE WHEN excluded.held IS NULL THEN node_result.child_id ELSE excluded.child_id END, revision = excluded.revision
  WHERE node_result.status NOT IN ('completed', 'failed')
  ${returning}
),
logged AS (
  INSERT INTO log_entry (${Object.keys(LOG).join(', ')})
  SELECT l.execution_id, l.node_id, l.level, l.message, l.timestamp
  FROM ${parameters.table('logs', 'l', { ordinality: 'position' })}
  JOIN updated ON updated.id = l.execution_id
  ${onlyLogs}
  ORDER BY l.position
)${also}
SELECT (SELECT coalesce(json_object_agg(id, is_cancelled), '{}') FROM updated) AS updated,${select}
  (SELECT count(pg_notify('weft_changes', payload)) FROM unnest(${parameters.value('changes')}::text[]) payload)`;

/** SQL of the answers of steps. No caller waits for the answer of a run that no webhook started. */
const ALSO_ANSWERS = `,
answered AS (
  ${INSERT_ANSWERS}
  SELECT a.* FROM ${ANSWERING_PARAMETERS.table('answers', 'a')}
  JOIN updated ON updated.id = a.execution_id AND updated.trigger = 'webhook'
  ON CONFLICT (execution_id) DO NOTHING
)`;

/** SQL: lines that an earlier attempt has not stored. An attempt is repeated seldom, and only then the lines are looked for. */
const NEW_LINES = `WHERE NOT EXISTS (
    SELECT FROM log_entry o WHERE o.execution_id = l.execution_id AND o.timestamp = l.timestamp
      AND o.node_id IS NOT DISTINCT FROM l.node_id AND o.level = l.level AND o.message = l.message)`;

const PLAIN = byRunCount({ name: 'engine.checkpoint', text: statement(PARAMETERS) });
const ANSWERING = byRunCount({
  name: 'engine.checkpoint-answers',
  text: statement(ANSWERING_PARAMETERS, { also: ALSO_ANSWERS }),
});
/** Of an attempt after one whose response was lost. Any number of rows may have answers, also none. */
const REPEATED = statement(ANSWERING_PARAMETERS, { also: ALSO_ANSWERS, onlyLogs: NEW_LINES });
/** Waits until an earlier attempt has ended on the server: what it has stored is visible to the next statement. */
const AWAIT_EARLIER = 'SELECT FROM execution WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE';

/** The same for one step with one result, inside a transaction. `isStored` is false if a final result was there before. */
export const WRITE_IN_TRANSACTION = statement(PARAMETERS, {
  returning: 'RETURNING node_id',
  select: ' EXISTS (SELECT FROM results) AS "isStored",',
});

/** `isNotified`: the commit itself notifies viewers (NOTIFY). */
export function parameters(
  workerId: string,
  steps: Checkpoint[],
  isNotified: boolean,
  isAnswering = hasAnswers(steps),
): unknown[] {
  const now = timeText(new Date());
  const table = new ColumnArrays(STEP);
  for (const step of steps) table.add([step.executionId, ...outcomeCells(step, now), step.unlessSignalled]);
  const changes = isNotified ? payloads(steps.map(({ executionId }) => executionId)) : [];
  const rows = { step: table, ...pendingTables(steps) };
  const values = { worker: workerId, changes };
  return isAnswering
    ? ANSWERING_PARAMETERS.bind(values, { answers: answerRows(steps), ...rows })
    : PARAMETERS.bind(values, rows);
}

/** For dispatchers outside the database: publishes these steps to viewers and sets timers. */
export function publishSteps(steps: Checkpoint[]): void {
  const { changed, notifyWork } = dispatcher();
  changed(steps.map(({ executionId }) => executionId));
  for (const { release } of steps) if (release?.availableAt) notifyWork(release.availableAt);
}

/** Approximate size of a step in characters. */
export const checkpointSize = ({ nodes, final, logs, answer }: Checkpoint) =>
  nodes.reduce((sum, node) => sum + (node.json?.length ?? 0) + (node.resumeJson?.length ?? 0), 0) +
  (final?.json?.length ?? 0) +
  (answer?.body.length ?? 0) +
  logs.length * 100;

/**
 * The writer of a worker: group commit of steps. While the database is unavailable it retries, until `lost` rejects.
 * Writing is idempotent: a step that was committed although its response was lost changes nothing when it is repeated, and adds no line to
 * the log.
 */
export function checkpointWriter(workerId: string, lost: AbortSignal, afterEnds: AfterEnds): WriteCheckpoint {
  async function flush(steps: Checkpoint[]): Promise<Written[]> {
    const { isInDatabase } = dispatcher();
    for (let isRepeated = false; ; isRepeated = true) {
      lost.throwIfAborted();
      try {
        if (isRepeated) await pool().query(AWAIT_EARLIER, [steps.map(({ executionId }) => executionId)]);
        const { rows } = await pool().query<{ updated: Record<string, boolean> }>({
          values: parameters(workerId, steps, isInDatabase, isRepeated || hasAnswers(steps)),
          ...(isRepeated ? { text: REPEATED } : (hasAnswers(steps) ? ANSWERING : PLAIN)(steps.length)),
        });
        if (!isInDatabase) publishSteps(steps);
        const updated = rows[0]?.updated ?? {};
        await afterEnds(steps.filter(({ executionId, final }) => final && executionId in updated));
        return steps.map(({ executionId }) => {
          const isCancelled = updated[executionId];
          return isCancelled === undefined ? 'refused' : isCancelled ? 'cancel-requested' : 'written';
        });
      } catch (error) {
        if (!isPassingFailure(error)) throw error;
        await pause(RETRY_MS);
      }
    }
  }
  return groupCommit(flush, { sizeOf: checkpointSize });
}
