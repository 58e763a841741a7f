import { databasePool, prismaClient } from '@/server/platform/db/client';
import { currentDispatcher } from '@/server/platform/dispatch/dispatcher';
import { NOTIFY_CHANNELS, splitNotifyPayloads } from '@/server/platform/db/notify-channels';
import { requestCancellation } from './requests';

/**
 * SQL: awaited children whose node no longer waits. A node that waits for its child is running, at the same attempt.
 */
export const UNWANTED_CHILDREN_SQL = `
SELECT c.id FROM execution c WHERE c.is_awaited AND c.status NOT IN ('completed', 'failed') AND c.cancel_requested_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM node_result r WHERE r.execution_id = c.parent_id AND r.node_id = c.parent_node
    AND r.status = 'running' AND r.attempts = c.parent_attempt AND r.error IS NULL)`;

/** Wakes runs that wait for a child that has ended. Locks in the order of ids, so that two callers cannot deadlock. */
export async function wakeParentRuns(ids: string[]): Promise<void> {
  await databasePool().query({
    name: 'engine.wake-parents',
    text: `WITH parent AS (SELECT id FROM execution WHERE id = ANY($1) AND status NOT IN ('completed', 'failed') ORDER BY id FOR UPDATE),
      woken AS (UPDATE execution e SET available_at = now() FROM parent WHERE e.id = parent.id)
      SELECT count(pg_notify('${NOTIFY_CHANNELS.signals}', payload)), pg_notify('${NOTIFY_CHANNELS.work}', '') FROM unnest($2::text[]) payload`,
    values: [ids, splitNotifyPayloads(ids)],
  });
  currentDispatcher().notifyWork();
}

/** Safety net after a crash: wakes parents and cancels children that were missed. Returns their number. */
export async function sweepChildRuns(): Promise<number> {
  const waiting = await databasePool().query<{ id: string }>({
    name: 'engine.sweep-parents',
    text: `SELECT DISTINCT p.id FROM node_result r JOIN execution p ON p.id = r.execution_id
      LEFT JOIN execution c ON c.id = r.child_id
      WHERE r.status = 'running' AND r.child_id IS NOT NULL
        AND (c.id IS NULL OR c.status IN ('completed', 'failed'))
        AND p.status NOT IN ('completed', 'failed') AND (p.available_at IS NULL OR p.available_at > now())`,
  });
  const unwanted = await databasePool().query<{ id: string }>({
    name: 'engine.sweep-children',
    text: UNWANTED_CHILDREN_SQL,
  });
  const parents = waiting.rows.map(({ id }) => id);
  const orphans = unwanted.rows.map(({ id }) => id);
  if (parents.length > 0) await wakeParentRuns(parents);
  if (orphans.length > 0) await requestCancellation(prismaClient(), orphans);
  return parents.length + orphans.length;
}
