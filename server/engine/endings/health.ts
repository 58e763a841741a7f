import type { AlertEvent } from '@/contract/alert';
import type { DatabaseClient } from '@/server/platform/db/client';
import { findEndedRun, type EndedRun } from './ended-run';

/** A missed recovery is searched among this many of the latest runs of a workflow. */
const MAX_RUNS_SEARCHED = 100;
/** After this delay, the statements that ended runs at the time of the failure are committed. */
const RECHECK_DELAY_SECONDS = 5;

/**
 * Stores the alert events of the end of a run, as part of a transaction. `workflow_health` tells a first failure
 * from the next ones; the lock on its row orders runs that end at the same time.
 */
export async function storeRunAlertEvents(
  db: DatabaseClient,
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
  if (isFailing && isNews && !before?.isFailing) {
    events.push('first_failure');
    await scheduleHealthRecheck(db, { id, workspaceId });
  }
  if (!isFailing && isNews && before?.isFailing) events.push('run_recovered');
  const data = events.map((event) => ({ event, workspaceId, workflowId, executionId: id, at: completedAt }));
  await db.alertEvent.createMany({ data });
}

/**
 * Schedules a search for a missed recovery. A completed run only has a follow-up while its workflow is known to be
 * failing (`is_followed`), so a run that ended after the failure but before it became known is searched a little later.
 */
const scheduleHealthRecheck = (db: DatabaseClient, { id, workspaceId }: Pick<EndedRun, 'id' | 'workspaceId'>) =>
  db.$executeRaw`
    INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
    VALUES (${id}, 'recheck', now() + make_interval(secs => ${RECHECK_DELAY_SECONDS}::int), ${workspaceId})
    ON CONFLICT DO NOTHING`;

/** Stores the recovery after a failure if the recovered run had no follow-up. */
export async function storeMissedRecoveryEvent(
  db: DatabaseClient,
  { workflowId, completedAt }: EndedRun,
): Promise<void> {
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, status, completed_at FROM execution WHERE workflow_id = ${workflowId} ORDER BY created_at DESC, id DESC LIMIT ${MAX_RUNS_SEARCHED}
    ) latest
    WHERE status = 'completed' AND completed_at >= ${completedAt} ORDER BY completed_at DESC LIMIT 1`;
  const run = found && (await findEndedRun(db, found.id));
  if (run) await storeRunAlertEvents(db, run);
}
