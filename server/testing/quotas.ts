import { databasePool } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';

/** As if a workspace had so many finished runs: the tally says so, and what was counted before is forgotten. */
export async function storedRuns(workspaceId: string, count: number): Promise<void> {
  await databasePool().query(
    `INSERT INTO execution_tally (scope, trigger, status, hour, count) VALUES ($1, 'manual', 'completed', '2026-01-01', $2)`,
    [workspaceId, count],
  );
  delete getRuntime().runQuota;
}
