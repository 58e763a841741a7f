import { databasePool } from '@/server/platform/db/client';
import { findSqlState } from '@/server/platform/db/failures/sql-state';
import { serviceLog } from '@/server/platform/log';
import type { HumanDecision } from '@/server/workflow/nodes/node-type';
import { HELD_WITHOUT_LARGE_ITEMS } from '../store/large-values';
import type { NodeState } from '../store/state';
import { readNodeState, UnreadableStateError, type StoredStateRow } from '../store/state-row';
import { NO_RECEIVED_CALLS, readCalledPaths } from './calls';

/** The stored state from which a started run continues. */
export interface RunProgress {
  id: string;
  states: NodeState[];
  decisions: Map<string, HumanDecision>;
  /** The paths at which calls have arrived. */
  calledPaths: ReadonlySet<string>;
  /** Why the stored state cannot be read, so that the run can only be ended; null: it was read. */
  unreadableReason: string | null;
}

/**
 * SQL: a part of the path of a node in a round. Null if no run has a repeated loop, so that other runs pay nothing for
 * it.
 */
const pathPartSql = (pattern: string) =>
  `CASE WHEN (SELECT count(*) FROM repeated) > 0 THEN substring(r.node_id FROM '${pattern}') END`;

/**
 * Results to resume from: all but those in the earlier rounds of loops that decide after each round (`Repetition`), and
 * in such loops that have ended: nothing reads them again. A loop is found from the outermost and from the innermost
 * round of a path.
 */
const READ_RESULTS_SQL = `
WITH repeated AS MATERIALIZED (
  SELECT execution_id, node_id AS loop, CASE WHEN status = 'running' THEN round - 1 END AS first
  FROM node_result WHERE execution_id = ANY($1) AND round IS NOT NULL
)
SELECT r.execution_id, r.node_id, r.status, r.port, r.attempts, r.tries, r.error, r.started_at, r.completed_at, r.wake_at, ${HELD_WITHOUT_LARGE_ITEMS} AS held, r.round, r.child_id,
  CASE WHEN r.large_bytes IS NULL THEN r.output END AS output, r.large_bytes, r.large_bytes IS NOT NULL AS is_away
FROM node_result r
LEFT JOIN repeated outermost ON outermost.execution_id = r.execution_id AND outermost.loop = ${pathPartSql('^(.*?)\\[\\d{1,7}\\]\\.')}
LEFT JOIN repeated innermost ON innermost.execution_id = r.execution_id AND innermost.loop = ${pathPartSql('^(.*)\\[\\d{1,7}\\]\\.')}
WHERE r.execution_id = ANY($1)
  AND (outermost.loop IS NULL OR ${pathPartSql('^.*?\\[(\\d{1,7})\\]\\.')}::int >= outermost.first)
  AND (innermost.loop IS NULL OR ${pathPartSql('^.*\\[(\\d{1,7})\\]\\.')}::int >= innermost.first)`;

/** SQLSTATEs of a value that the database cannot read: wrong data, a limit of its size, damage. */
const VALUE_ERROR_SQLSTATE = /^(22|54|XX00[12])/;

/**
 * Whether reading failed because of a stored value. Otherwise the database failed, and the next claim reads the run
 * again.
 */
export const isStoredValueError = (error: unknown): boolean =>
  error instanceof UnreadableStateError ||
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  VALUE_ERROR_SQLSTATE.test(findSqlState(error));

/**
 * Loads node results, decisions and calls of runs that were already started. A damaged value makes only its own run
 * unreadable: if the statement fails, the runs are read one by one.
 */
export async function loadRunProgress(runs: ReadonlyMap<string, RunProgress>): Promise<void> {
  try {
    await readRunProgress(runs);
  } catch (error) {
    if (!isStoredValueError(error)) throw error;
    if (runs.size > 1) for (const [id, run] of runs) await loadRunProgress(new Map([[id, run]]));
    else for (const run of runs.values()) markRunUnreadable(run, error);
  }
}

export function markRunUnreadable(run: RunProgress, error: unknown): void {
  serviceLog().error({ err: error, executionId: run.id }, 'the stored state of a run cannot be read');
  run.unreadableReason = error instanceof UnreadableStateError ? error.message : 'a stored value is damaged';
  run.states = [];
}

async function readRunProgress(runs: ReadonlyMap<string, RunProgress>): Promise<void> {
  const ids = [...runs.keys()];
  const [results, decisions, calls] = await Promise.all([
    databasePool().query<StoredStateRow & { execution_id: string }>({
      name: 'engine.recall',
      text: READ_RESULTS_SQL,
      values: [ids],
    }),
    readDecisions(ids),
    readCalledPaths(ids),
  ]);
  for (const row of results.rows) {
    const run = runs.get(row.execution_id);
    if (!run || run.unreadableReason !== null) continue;
    try {
      run.states.push(readNodeState(row));
    } catch (error) {
      markRunUnreadable(run, error);
    }
  }
  for (const [id, { path, decision }] of decisions) runs.get(id)?.decisions.set(path, decision);
  for (const [id, run] of runs) run.calledPaths = calls.get(id) ?? NO_RECEIVED_CALLS;
}

/** The decisions made in these executions, as [execution, {path, decision}]. */
export async function readDecisions(ids: string[]): Promise<[string, { path: string; decision: HumanDecision }][]> {
  const { rows } = await databasePool().query<{
    execution_id: string;
    node_id: string;
    decision: HumanDecision['decision'];
    comment: string | null;
    decided_by: string;
    decided_at: Date;
    data: HumanDecision['data'];
  }>({
    name: 'engine.decisions',
    text: 'SELECT execution_id, node_id, decision, comment, decided_by, decided_at, data FROM decision WHERE execution_id = ANY($1)',
    values: [ids],
  });
  return rows.map((row) => {
    const { decision, comment, decided_by: decidedBy, decided_at, data } = row;
    const entry = { decision, comment, decidedBy, decidedAt: decided_at.toISOString(), data };
    return [row.execution_id, { path: row.node_id, decision: entry }];
  });
}
