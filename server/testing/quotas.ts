import { pool } from '@/server/db/client';
import { runtime } from '@/server/runtime';

/** As if a workspace had so many finished runs: the tally says so, and what was counted before is forgotten. */
export async function storedRuns(workspaceId: string, count: number): Promise<void> {
  await pool().query(
    `INSERT INTO execution_tally (scope, trigger, status, hour, count) VALUES ($1, 'manual', 'completed', '2026-01-01', $2)`,
    [workspaceId, count],
  );
  delete runtime().runQuota;
}
