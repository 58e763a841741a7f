import { databasePool } from '@/server/platform/db/client';
import { serviceLog } from '@/server/platform/log';
import { repeatAction } from '@/server/platform/timers/repeat';

const EXPIRY_CHECK_MS = 60_000;
/** One statement removes at most this many rows. */
const MAX_REMOVED_ROWS = 5000;

const REMOVE_EXPIRED_SQL = [
  `DELETE FROM remembered WHERE id IN (
    SELECT id FROM remembered WHERE expires_at <= now() ORDER BY expires_at LIMIT ${MAX_REMOVED_ROWS} FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM remembered_item WHERE (list_id, item) IN (
    SELECT list_id, item FROM remembered_item WHERE expires_at <= now() ORDER BY expires_at LIMIT ${MAX_REMOVED_ROWS} FOR UPDATE SKIP LOCKED)`,
];

/** Removes values and items that have expired. True: there may be more. */
export async function removeExpiredMemories(): Promise<boolean> {
  let hasMore = false;
  for (const text of REMOVE_EXPIRED_SQL)
    if ((await databasePool().query(text)).rowCount === MAX_REMOVED_ROWS) hasMore = true;
  return hasMore;
}

/** Removes periodically what has expired, in every worker process. */
export function startMemoryKeeper(): { stop(): Promise<void> } {
  const rounds = repeatAction(
    async () => ((await removeExpiredMemories()) ? 0 : EXPIRY_CHECK_MS),
    EXPIRY_CHECK_MS,
    (error) => serviceLog().warn({ err: error }, 'remembered values that have expired were not removed'),
  );
  rounds.wake();
  return rounds;
}
