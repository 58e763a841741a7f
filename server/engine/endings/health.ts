import type { AlertEvent } from '@/contract/alert';
import type { Db } from '@/server/db/client';
import type { EndedRun } from './ended-run';

/**
 * Stores which events the end of a run is, for alerts, as part of a transaction. `workflow_health` tells a first failure
 * from the next ones; the lock on its row orders runs that end at the same time.
 */
export async function tellAlerts(
  db: Db,
  { id, workspaceId, workflowId, status, completedAt }: EndedRun,
): Promise<void> {
  if ((await db.alert.count({ where: { workspaceId, isEnabled: true } })) === 0) return;
  const isFailing = status === 'failed';
  const [before] = await db.$queryRaw<{ isFailing: boolean; isLater: boolean }[]>`
    SELECT is_failing AS "isFailing", ended_at <= ${completedAt} AS "isLater" FROM workflow_health
    WHERE workflow_id = ${workflowId} FOR UPDATE`;
  await db.$executeRaw`
    INSERT INTO workflow_health AS h (workflow_id, is_failing, ended_at) VALUES (${workflowId}, ${isFailing}, ${completedAt})
    ON CONFLICT (workflow_id) DO UPDATE SET is_failing = excluded.is_failing, ended_at = excluded.ended_at
      WHERE h.ended_at <= excluded.ended_at`;
  const isNews = before === undefined || before.isLater;
  const events: AlertEvent[] = [];
  if (isFailing) events.push('run_failed');
  if (isFailing && isNews && !before?.isFailing) events.push('first_failure');
  if (!isFailing && isNews && before?.isFailing) events.push('run_recovered');
  const data = events.map((event) => ({ event, workspaceId, workflowId, executionId: id, at: completedAt }));
  await db.alertEvent.createMany({ data });
}
