import type { ExecutionStatus, RunError } from '@/contract/execution';
import { setTimeout as pause } from 'node:timers/promises';
import { databasePool } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { isTransientFailure } from '@/server/platform/db/failures/verdict';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import type { CallerResponse } from '@/server/workflow/nodes/node-type';
import {
  toJsonParameter,
  LOG_ENTRY_COLUMNS,
  toColumnArrays,
  NODE_RESULT_COLUMNS,
  ColumnArrays,
  toTimeParameter,
  type ColumnTypes,
  type PendingRunWrites,
} from './rows';
import { prepareByRunCount, StatementParameters } from './statement';

/** One step of one run, written atomically. */
export interface RunCheckpoint extends PendingRunWrites {
  /** The parent run, which is woken by the end of this run. */
  parentId: string | null;
  /** The workspace in which the end of this run admits another; null: no concurrency limit applies. */
  limitedWorkspaceId: string | null;
  status: ExecutionStatus;
  /** Set: the run ends with this step. `json`: its output. */
  final: { json: string | null; error: RunError | null } | null;
  /** Set: the worker releases the run until `availableAt`; null: until a signal arrives. */
  release: { availableAt: Date | null } | null;
  /** The response to the caller of the run; null: there is none, or no new one. */
  callerResponse: CallerResponse | null;
  /** True: the step is refused if a decision or cancellation has arrived meanwhile. */
  unlessSignalled: boolean;
}

/** `refused`: another worker owns the run, it is final, or a signal came first and `unlessSignalled` is set. */
export type CheckpointResult = 'written' | 'cancel-requested' | 'refused';
export type WriteCheckpoint = (checkpoint: RunCheckpoint) => Promise<CheckpointResult>;
/** Is called after the ends of runs are stored. Never rejects. */
export type AfterRunEnds = (ended: readonly RunCheckpoint[]) => Promise<void>;

const CHECKPOINT_RETRY_MS = 200;

/** The columns of `execution_answer`. */
export const CALLER_RESPONSE_COLUMNS = { execution_id: 'text', answer: 'json' } satisfies ColumnTypes;
export const INSERT_CALLER_RESPONSES = `INSERT INTO execution_answer (${Object.keys(CALLER_RESPONSE_COLUMNS).join(', ')})`;

export const hasCallerResponses = (steps: readonly RunCheckpoint[]): boolean =>
  steps.some(({ callerResponse: answer }) => answer !== null);

/** The responses of these steps, as rows of `execution_answer`. */
export function toCallerResponseRows(steps: readonly RunCheckpoint[]): ColumnArrays {
  const answers = new ColumnArrays(CALLER_RESPONSE_COLUMNS);
  for (const { executionId, callerResponse: answer } of steps)
    if (answer) answers.add([executionId, JSON.stringify(answer)]);
  return answers;
}

/** Columns of the execution that a step sets. */
export const STEP_OUTCOME_COLUMNS = {
  status: 'text',
  output: 'json',
  error: 'json',
  completed_at: 'timestamptz',
  is_released: 'bool',
  available_at: 'timestamptz',
} satisfies ColumnTypes;

/** The `STEP_OUTCOME_COLUMNS` columns of a step. */
export const toStepOutcomeCells = ({ status, final, release }: RunCheckpoint, now: string | null) => [
  status,
  final?.json ?? null,
  toJsonParameter(final?.error ?? null),
  final && now,
  final !== null || release !== null,
  toTimeParameter(release?.availableAt ?? null),
];

const STEP_COLUMNS = { id: 'text', ...STEP_OUTCOME_COLUMNS, unless_signalled: 'bool' } satisfies ColumnTypes;

const CHECKPOINT_VALUES = ['worker', 'changes'] as const;
const CHECKPOINT_SOURCES = { step: STEP_COLUMNS, results: NODE_RESULT_COLUMNS, logs: LOG_ENTRY_COLUMNS };
const CHECKPOINT_PARAMETERS = new StatementParameters(CHECKPOINT_VALUES, CHECKPOINT_SOURCES);
const RESPONDING_PARAMETERS = new StatementParameters(CHECKPOINT_VALUES, {
  ...CHECKPOINT_SOURCES,
  answers: CALLER_RESPONSE_COLUMNS,
});

type CheckpointSqlParameters = Pick<typeof CHECKPOINT_PARAMETERS, 'value' | 'table'>;

/**
 * The worker's row is the fencing token: it is locked against deletion during this statement, and without it nothing is
 * written. A cancellation that was requested in time turns every end into CANCELLED.
 */
const checkpointSql = (
  parameters: CheckpointSqlParameters,
  { also = '', returning = '', select = '', onlyLogs = '' } = {},
) => `
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
  INSERT INTO node_result (${Object.keys(NODE_RESULT_COLUMNS).join(', ')}, revision)
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
  INSERT INTO log_entry (${Object.keys(LOG_ENTRY_COLUMNS).join(', ')})
  SELECT l.execution_id, l.node_id, l.level, l.message, l.timestamp
  FROM ${parameters.table('logs', 'l', { ordinality: 'position' })}
  JOIN updated ON updated.id = l.execution_id
  ${onlyLogs}
  ORDER BY l.position
)${also}
SELECT (SELECT coalesce(json_object_agg(id, is_cancelled), '{}') FROM updated) AS updated,${select}
  (SELECT count(pg_notify('weft_changes', payload)) FROM unnest(${parameters.value('changes')}::text[]) payload)`;

/** SQL that stores the responses of steps. No caller waits for the response of a run that no webhook started. */
const RESPONSES_SQL = `,
answered AS (
  ${INSERT_CALLER_RESPONSES}
  SELECT a.* FROM ${RESPONDING_PARAMETERS.table('answers', 'a')}
  JOIN updated ON updated.id = a.execution_id AND updated.trigger = 'webhook'
  ON CONFLICT (execution_id) DO NOTHING
)`;

/**
 * SQL: selects the lines that an earlier attempt has not stored. Only a repeated statement looks for them, which is
 * rare.
 */
const ONLY_NEW_LOG_LINES = `WHERE NOT EXISTS (
    SELECT FROM log_entry o WHERE o.execution_id = l.execution_id AND o.timestamp = l.timestamp
      AND o.node_id IS NOT DISTINCT FROM l.node_id AND o.level = l.level AND o.message = l.message)`;

const plainCheckpoint = prepareByRunCount({ name: 'engine.checkpoint', text: checkpointSql(CHECKPOINT_PARAMETERS) });
const respondingCheckpoint = prepareByRunCount({
  name: 'engine.checkpoint-answers',
  text: checkpointSql(RESPONDING_PARAMETERS, { also: RESPONSES_SQL }),
});
/** The statement that repeats one whose response was lost. Any number of its rows may have responses, also none. */
const REPEATED_CHECKPOINT = checkpointSql(RESPONDING_PARAMETERS, { also: RESPONSES_SQL, onlyLogs: ONLY_NEW_LOG_LINES });
/** Waits until an earlier attempt has ended on the server: what it has stored is visible to the next statement. */
const AWAIT_EARLIER_ATTEMPT = 'SELECT FROM execution WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE';

/**
 * The checkpoint of one step with one result, for use inside a transaction. `isStored` is false if a final result was
 * there before.
 */
export const CHECKPOINT_IN_TRANSACTION = checkpointSql(CHECKPOINT_PARAMETERS, {
  returning: 'RETURNING node_id',
  select: ' EXISTS (SELECT FROM results) AS "isStored",',
});

/** `isNotified`: the commit itself notifies viewers (NOTIFY). */
export function bindCheckpoint(
  workerId: string,
  steps: RunCheckpoint[],
  isNotified: boolean,
  isAnswering = hasCallerResponses(steps),
): unknown[] {
  const now = toTimeParameter(new Date());
  const table = new ColumnArrays(STEP_COLUMNS);
  for (const step of steps) table.add([step.executionId, ...toStepOutcomeCells(step, now), step.unlessSignalled]);
  const changes = isNotified ? splitNotifyPayloads(steps.map(({ executionId }) => executionId)) : [];
  const rows = { step: table, ...toColumnArrays(steps) };
  const values = { worker: workerId, changes };
  return isAnswering
    ? RESPONDING_PARAMETERS.bind(values, { answers: toCallerResponseRows(steps), ...rows })
    : CHECKPOINT_PARAMETERS.bind(values, rows);
}

/** For dispatchers outside the database: publishes these steps to viewers and sets timers. */
export function publishCheckpoints(steps: RunCheckpoint[]): void {
  const { changed, notifyWork } = currentDispatcher();
  changed(steps.map(({ executionId }) => executionId));
  for (const { release } of steps) if (release?.availableAt) notifyWork(release.availableAt);
}

/** Approximate size of a step in characters. */
export const countCheckpointCharacters = ({ nodes, final, logs, callerResponse: answer }: RunCheckpoint) =>
  nodes.reduce((sum, node) => sum + (node.json?.length ?? 0) + (node.resumeJson?.length ?? 0), 0) +
  (final?.json?.length ?? 0) +
  (answer?.body.length ?? 0) +
  logs.length * 100;

/**
 * The writer of a worker: group commit of steps. While the database is unavailable it retries, until `lost` rejects.
 * Writing is idempotent: a step that was committed although its response was lost changes nothing when it is repeated,
 * and adds no line to the log.
 */
export function createCheckpointWriter(workerId: string, lost: AbortSignal, afterEnds: AfterRunEnds): WriteCheckpoint {
  async function flush(steps: RunCheckpoint[]): Promise<CheckpointResult[]> {
    const { isInDatabase } = currentDispatcher();
    for (let isRepeated = false; ; isRepeated = true) {
      lost.throwIfAborted();
      try {
        if (isRepeated)
          await databasePool().query(AWAIT_EARLIER_ATTEMPT, [steps.map(({ executionId }) => executionId)]);
        const { rows } = await databasePool().query<{ updated: Record<string, boolean> }>({
          values: bindCheckpoint(workerId, steps, isInDatabase, isRepeated || hasCallerResponses(steps)),
          ...(isRepeated
            ? { text: REPEATED_CHECKPOINT }
            : (hasCallerResponses(steps) ? respondingCheckpoint : plainCheckpoint)(steps.length)),
        });
        if (!isInDatabase) publishCheckpoints(steps);
        const updated = rows[0]?.updated ?? {};
        await afterEnds(steps.filter(({ executionId, final }) => final && executionId in updated));
        return steps.map(({ executionId }) => {
          const isCancelled = updated[executionId];
          return isCancelled === undefined ? 'refused' : isCancelled ? 'cancel-requested' : 'written';
        });
      } catch (error) {
        if (!isTransientFailure(error)) throw error;
        await pause(CHECKPOINT_RETRY_MS);
      }
    }
  }
  return groupCommit(flush, { sizeOf: countCheckpointCharacters });
}
