import { databasePool } from '@/server/platform/db/client';
import { fairBatchSql, WorkspaceRoundRobin } from '@/server/platform/db/fair-queue';

/** Runs that one statement cleans at most. */
const MAX_RUNS_PER_CLEAN = 100;

/** SQL: how long the ending of a form is kept for its visitor, in a workflow that keeps no data. */
const ENDING_KEPT_FOR = '10 minutes';

/**
 * SQL: the data of a run is needed by its other follow-up, by the parent run that waits for its output, or by the
 * visitor of its form, whose page asks for the ending.
 */
const IS_RUN_DATA_NEEDED_SQL = `
  (EXISTS (SELECT FROM run_ending other WHERE other.execution_id = r.execution_id AND other.kind = 'follow')
  OR EXISTS (SELECT FROM execution e JOIN execution p ON p.id = e.parent_id
    WHERE e.id = r.execution_id AND e.is_awaited AND p.status NOT IN ('completed', 'failed'))
  OR EXISTS (SELECT FROM node_result n WHERE n.execution_id = r.execution_id
    AND n.completed_at > now() - interval '${ENDING_KEPT_FOR}' AND starts_with(n.held::text, '{"ending":')))`;

const CLEAN_QUEUE = { table: 'run_ending', key: 'execution_id', condition: `kind = 'clean'`, order: 'due_at' } as const;

const CLEAN_ENDED_RUNS_SQL = `
WITH RECURSIVE ${fairBatchSql(CLEAN_QUEUE, '$1', MAX_RUNS_PER_CLEAN)},
judged AS MATERIALIZED (SELECT r.execution_id AS id, r.workspace_id, ${IS_RUN_DATA_NEEDED_SQL} AS is_needed FROM taken r),
due AS MATERIALIZED (SELECT id FROM judged WHERE NOT is_needed),
results AS (DELETE FROM node_result WHERE execution_id IN (SELECT id FROM due)),
logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM due)),
files AS (DELETE FROM file_use WHERE execution_id IN (SELECT id FROM due)),
decisions AS (DELETE FROM decision WHERE execution_id IN (SELECT id FROM due)),
calls AS (DELETE FROM received_call WHERE execution_id IN (SELECT id FROM due)),
emptied AS (
  UPDATE execution SET input = '{}', output = NULL, override = NULL, data_removed_at = now() WHERE id IN (SELECT id FROM due)
),
done AS (DELETE FROM run_ending r USING due WHERE r.execution_id = due.id AND r.kind = 'clean'),
postponed AS (
  UPDATE run_ending r SET due_at = now() + interval '10 seconds' FROM judged
  WHERE r.execution_id = judged.id AND r.kind = 'clean' AND judged.is_needed
)
SELECT workspace_id AS "workspaceId" FROM judged`;

const cleanTurns = new WorkspaceRoundRobin();

/**
 * Removes the data of ended runs whose workflow does not keep it, in turns by workspace. Data that is still needed is
 * checked again later. Returns how many runs it checked; at most one batch.
 */
export async function removeEndedRunData(): Promise<number> {
  const take = async (cursor: string) =>
    (
      await databasePool().query<{ workspaceId: string }>({
        name: 'engine.clean-ended',
        text: CLEAN_ENDED_RUNS_SQL,
        values: [cursor],
      })
    ).rows;
  return (await cleanTurns.take(take)).length;
}
