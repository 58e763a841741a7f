import { dispatcher } from '@/server/dispatch/dispatcher';
import { pool } from '@/server/db/client';

/** Admits queued runs of these workspaces up to their concurrency limits. */
export async function admit(workspaceIds: string[]): Promise<void> {
  await pool().query({
    name: 'engine.admit',
    text: 'SELECT admit_runs(id) FROM unnest($1::text[]) id ORDER BY id',
    values: [[...new Set(workspaceIds)]],
  });
  dispatcher().notifyWork();
}

/** Safety net for `admit`: admits queued runs if the end of another run was not reported. Returns their number. */
export async function sweepQueues(): Promise<number> {
  const { rows } = await pool().query<{ admitted: number | null }>({
    name: 'engine.sweep-queues',
    text: `SELECT sum(admit_runs(workspace_id))::int AS admitted FROM
      (SELECT DISTINCT workspace_id FROM execution WHERE queued_at IS NOT NULL AND status = 'pending' ORDER BY 1) queueing`,
  });
  return rows[0]?.admitted ?? 0;
}
