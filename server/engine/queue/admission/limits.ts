import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { databasePool } from '@/server/platform/db/client';

/** Admits queued runs of these workspaces up to their concurrency limits. */
export async function admitQueuedRuns(workspaceIds: string[]): Promise<void> {
  await databasePool().query({
    name: 'engine.admit',
    text: 'SELECT admit_runs(id) FROM unnest($1::text[]) id ORDER BY id',
    values: [[...new Set(workspaceIds)]],
  });
  currentDispatcher().notifyWork();
}

/**
 * Safety net for `admitQueuedRuns`: admits queued runs if the end of another run was not reported. Returns their
 * number.
 */
export async function sweepQueuedRuns(): Promise<number> {
  const { rows } = await databasePool().query<{ admitted: number | null }>({
    name: 'engine.sweep-queues',
    text: `SELECT sum(admit_runs(workspace_id))::int AS admitted FROM
      (SELECT DISTINCT workspace_id FROM execution WHERE queued_at IS NOT NULL AND status = 'pending' ORDER BY 1) queueing`,
  });
  return rows[0]?.admitted ?? 0;
}
