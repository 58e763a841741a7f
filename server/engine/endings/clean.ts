import { pool } from '@/server/db/client';

/** Runs of one statement. */
const BATCH = 100;

/** Somebody may still need the data: what else follows the end of the run, or the run that waits for its output. */
const IS_NEEDED = `
  (EXISTS (SELECT FROM run_ending other WHERE other.execution_id = r.execution_id AND other.kind <> 'clean')
  OR EXISTS (SELECT FROM execution e JOIN execution p ON p.id = e.parent_id
    WHERE e.id = r.execution_id AND e.is_awaited AND p.status NOT IN ('completed', 'failed')))`;

const CLEAN = `
WITH due AS MATERIALIZED (
  SELECT r.execution_id AS id FROM run_ending r WHERE r.kind = 'clean' AND r.due_at <= now() AND NOT ${IS_NEEDED}
  ORDER BY r.due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
),
results AS (DELETE FROM node_result WHERE execution_id IN (SELECT id FROM due)),
logs AS (DELETE FROM log_entry WHERE execution_id IN (SELECT id FROM due)),
files AS (DELETE FROM file_use WHERE execution_id IN (SELECT id FROM due)),
decisions AS (DELETE FROM decision WHERE execution_id IN (SELECT id FROM due)),
emptied AS (
  UPDATE execution SET input = '{}', output = NULL, override = NULL, data_removed_at = now() WHERE id IN (SELECT id FROM due)
),
done AS (DELETE FROM run_ending r USING due WHERE r.execution_id = due.id AND r.kind = 'clean')
SELECT count(*)::int AS cleaned FROM due`;

/** Removes the data of runs that ended and whose workflow does not keep it. Answers how many; at most a batch. */
export async function cleanEnded(): Promise<number> {
  // Those that are needed are looked at again later, so that they do not slow down each look.
  await pool().query({
    name: 'engine.postpone-clean',
    text: `UPDATE run_ending r SET due_at = now() + interval '10 seconds'
      WHERE r.kind = 'clean' AND r.due_at <= now() AND ${IS_NEEDED}`,
  });
  const { rows } = await pool().query<{ cleaned: number }>({ name: 'engine.clean-ended', text: CLEAN });
  return rows[0]?.cleaned ?? 0;
}
