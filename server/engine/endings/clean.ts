import { pool } from '@/server/db/client';
import { fairBatch, RoundRobin } from '@/server/db/fair-queue';

/** Runs of one statement. */
const BATCH = 100;

/** The user may still need the data: what else follows the end of the run, or the run that waits for its output. */
const IS_NEEDED = `
  (EXISTS (SELECT FROM run_ending other WHERE other.execution_id = r.execution_id AND other.kind = 'follow')
  OR EXISTS (SELECT FROM execution e JOIN execution p ON p.id = e.parent_id
    WHERE e.id = r.execution_id AND e.is_awaited AND p.status NOT IN ('completed', 'failed')))`;

const WAITING = { table: 'run_ending', key: 'execution_id', condition: `kind = 'clean'`, order: 'due_at' } as const;

const CLEAN = `
WITH RECURSIVE ${fairBatch(WAITING, '$1', BATCH)},
judged AS MATERIALIZED (SELECT r.execution_id AS id, r.workspace_id, ${IS_NEEDED} AS is_needed FROM taken r),
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

const turns = new RoundRobin();

/**
 * Removes the data of runs that ended and whose workflow does not keep it, in turns by workspace. What is still needed is
 * looked at again later. Answers how many it looked at; at most a batch.
 */
export async function cleanEnded(): Promise<number> {
  const take = async (cursor: string) =>
    (await pool().query<{ workspaceId: string }>({ name: 'engine.clean-ended', text: CLEAN, values: [cursor] })).rows;
  return (await turns.take(take)).length;
}
