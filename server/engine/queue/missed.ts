import { queryWithin, type Transaction } from '@/server/db/within';

const STORE = {
  name: 'engine.missed',
  text: `INSERT INTO alert_event (event, workspace_id, workflow_id) SELECT 'schedule_missed', $1::text, $2::text
    WHERE EXISTS (SELECT FROM alert WHERE workspace_id = $1::text AND event = 'schedule_missed' AND is_enabled)`,
};

/** Stores for alerts that a schedule or poll did not start its runs. */
export async function storeMissedEvent(
  db: Transaction,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
): Promise<void> {
  await queryWithin(db, { ...STORE, values: [workspaceId, workflowId] });
}
