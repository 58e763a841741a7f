import type { Db } from '@/server/db/client';

/** Stores for alerts that a schedule or poll did not start its runs. */
export async function storeMissedEvent(
  db: Db,
  { workspaceId, workflowId }: { workspaceId: string; workflowId: string },
): Promise<void> {
  const where = { workspaceId, event: 'schedule_missed', isEnabled: true };
  if ((await db.alert.count({ where })) === 0) return;
  await db.alertEvent.create({ data: { event: 'schedule_missed', workspaceId, workflowId } });
}
