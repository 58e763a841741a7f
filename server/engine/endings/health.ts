import type { AlertEvent } from '@/contract/alert';
import type { Db } from '@/server/db/client';
import { findEnded, type EndedRun } from './ended-run';

/** The latest runs of a workflow among which a missed recovery is looked for. */
const LATEST = 100;
/** The statements that ended runs while a failure became known are committed by then. */
const RECHECK_AFTER_S = 5;

/**
 * Stores which events the end of a run is, for alerts, as part of a transaction. `workflow_health` tells a first failure
 * from the next ones; the lock on its row orders runs that end at the same time.
 */
export async function storeAlertEvents(
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
  if (isFailing && isNews && !before?.isFailing) {
    events.push('first_failure');
    await recheckLater(db, { id, workspaceId });
  }
  if (!isFailing && isNews && before?.isFailing) events.push('run_recovered');
  const data = events.map((event) => ({ event, workspaceId, workflowId, executionId: id, at: completedAt }));
  await db.alertEvent.createMany({ data });
}

/**
 * A completed run is only followed while its workflow is known to be failing (`is_followed`). One that ended before its
 * workflow was known to be failing, but after the failure, is looked for a little later.
 */
const recheckLater = (db: Db, { id, workspaceId }: Pick<EndedRun, 'id' | 'workspaceId'>) =>
  db.$executeRaw`
    INSERT INTO run_ending (execution_id, kind, due_at, workspace_id)
    VALUES (${id}, 'recheck', now() + make_interval(secs => ${RECHECK_AFTER_S}::int), ${workspaceId})
    ON CONFLICT DO NOTHING`;

/** Tells of the recovery after a failure, if its run was not followed. */
export async function storeMissedRecovery(db: Db, { workflowId, completedAt }: EndedRun): Promise<void> {
  const [found] = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM (
      SELECT id, status, completed_at FROM execution WHERE workflow_id = ${workflowId} ORDER BY created_at DESC, id DESC LIMIT ${LATEST}
    ) latest
    WHERE status = 'completed' AND completed_at >= ${completedAt} ORDER BY completed_at DESC LIMIT 1`;
  const run = found && (await findEnded(db, found.id));
  if (run) await storeAlertEvents(db, run);
}
