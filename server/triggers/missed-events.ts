import { queryInTransaction, type AnyTransaction } from '@/server/platform/db/within';

const STORE_MISSED_EVENT = {
  name: 'engine.missed',
  text: `INSERT INTO alert_event (event, workspace_id, workflow_id) SELECT 'schedule_missed', $1::text, $2::text
    WHERE EXISTS (SELECT FROM alert WHERE workspace_id = $1::text AND event = 'schedule_missed' AND is_enabled)`,
};

/** Stores an alert event: a schedule or poll did not start its runs. */
export async function storeScheduleMissedEvent(
  db: AnyTransaction,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
): Promise<void> {
  await queryInTransaction(db, { ...STORE_MISSED_EVENT, values: [workspaceId, workflowId] });
}
