import { pool } from '@/server/db/client';
import { sqlStateOf } from '@/server/db/failures/sql-state';
import { log } from '@/server/log';
import type { Decision } from '@/server/nodes/node';
import { HELD } from '../store/large-values';
import type { NodeState } from '../store/state';
import { readState, UnreadableState, type StateRow } from '../store/state-row';
import { NO_CALLS, readCalledPaths } from './calls';

/** What a run that was started before continues from. */
export interface Progress {
  id: string;
  states: NodeState[];
  decisions: Map<string, Decision>;
  /** The paths at which calls have arrived. */
  calls: ReadonlySet<string>;
  /** Why its stored state cannot be read, so that it can only be ended; null: it was read. */
  unreadable: string | null;
}

/** SQL: a part of the path of a node in a round; null if no run has a repeated loop, so that other loops cost nothing more. */
const partOfPath = (pattern: string) =>
  `CASE WHEN (SELECT count(*) FROM repeated) > 0 THEN substring(r.node_id FROM '${pattern}') END`;

/**
 * Results to resume from: all but those in the earlier rounds of loops that decide after each round (`Repetition`), and in such
 * loops that have ended: nothing reads them again. A loop is found from the outermost and from the innermost round of a path.
 */
const RECALL = `
WITH repeated AS MATERIALIZED (
  SELECT execution_id, node_id AS loop, CASE WHEN status = 'running' THEN round - 1 END AS first
  FROM node_result WHERE execution_id = ANY($1) AND round IS NOT NULL
)
SELECT r.execution_id, r.node_id, r.status, r.port, r.attempts, r.tries, r.error, r.started_at, r.completed_at, r.wake_at, ${HELD} AS held, r.round, r.child_id,
  CASE WHEN r.large_bytes IS NULL THEN r.output END AS output, r.large_bytes, r.large_bytes IS NOT NULL AS is_away
FROM node_result r
LEFT JOIN repeated outermost ON outermost.execution_id = r.execution_id AND outermost.loop = ${partOfPath('^(.*?)\\[\\d{1,7}\\]\\.')}
LEFT JOIN repeated innermost ON innermost.execution_id = r.execution_id AND innermost.loop = ${partOfPath('^(.*)\\[\\d{1,7}\\]\\.')}
WHERE r.execution_id = ANY($1)
  AND (outermost.loop IS NULL OR ${partOfPath('^.*?\\[(\\d{1,7})\\]\\.')}::int >= outermost.first)
  AND (innermost.loop IS NULL OR ${partOfPath('^.*\\[(\\d{1,7})\\]\\.')}::int >= innermost.first)`;

/** SQLSTATEs of a value that the database cannot read: wrong data, a limit of its size, damage. */
const OF_VALUE = /^(22|54|XX00[12])/;

/** Whether reading failed because of what is stored. Otherwise the database is at fault, and the next claim reads it. */
export const isOfValue = (error: unknown): boolean =>
  error instanceof UnreadableState ||
  error instanceof SyntaxError ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  OF_VALUE.test(sqlStateOf(error));

/**
 * Loads node results, decisions and calls of runs that were already started. What cannot be read makes its own run `unreadable`, and no other:
 * if the statement fails, the runs are read one by one.
 */
export async function loadProgress(runs: ReadonlyMap<string, Progress>): Promise<void> {
  try {
    await read(runs);
  } catch (error) {
    if (!isOfValue(error)) throw error;
    if (runs.size > 1) for (const [id, run] of runs) await loadProgress(new Map([[id, run]]));
    else for (const run of runs.values()) setUnreadable(run, error);
  }
}

export function setUnreadable(run: Progress, error: unknown): void {
  log().error({ err: error, executionId: run.id }, 'the stored state of a run cannot be read');
  run.unreadable = error instanceof UnreadableState ? error.message : 'a stored value is damaged';
  run.states = [];
}

async function read(runs: ReadonlyMap<string, Progress>): Promise<void> {
  const ids = [...runs.keys()];
  const [results, decisions, calls] = await Promise.all([
    pool().query<StateRow & { execution_id: string }>({ name: 'engine.recall', text: RECALL, values: [ids] }),
    readDecisions(ids),
    readCalledPaths(ids),
  ]);
  for (const row of results.rows) {
    const run = runs.get(row.execution_id);
    if (!run || run.unreadable !== null) continue;
    try {
      run.states.push(readState(row));
    } catch (error) {
      setUnreadable(run, error);
    }
  }
  for (const [id, { path, decision }] of decisions) runs.get(id)?.decisions.set(path, decision);
  for (const [id, run] of runs) run.calls = calls.get(id) ?? NO_CALLS;
}

/** The decisions made in these executions, as [execution, {path, decision}]. */
export async function readDecisions(ids: string[]): Promise<[string, { path: string; decision: Decision }][]> {
  const { rows } = await pool().query<{
    execution_id: string;
    node_id: string;
    decision: Decision['decision'];
    comment: string | null;
    decided_by: string;
    decided_at: Date;
    data: Decision['data'];
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
