import { pool } from '@/server/db/client';
import { log } from '@/server/log';
import { repeat } from '@/server/repeat';

const EVERY_MS = 60_000;
/** Rows of one statement. */
const BATCH = 5000;

const REMOVALS = [
  `DELETE FROM remembered WHERE id IN (
    SELECT id FROM remembered WHERE expires_at <= now() ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
  `DELETE FROM remembered_item WHERE (list_id, item) IN (
    SELECT list_id, item FROM remembered_item WHERE expires_at <= now() ORDER BY expires_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`,
];

/** Removes values and items that have expired. True: there may be more. */
export async function removeExpired(): Promise<boolean> {
  let hasMore = false;
  for (const text of REMOVALS) if ((await pool().query(text)).rowCount === BATCH) hasMore = true;
  return hasMore;
}

/** Removes periodically what has expired, in every worker process. */
export function startMemoryKeeper(): { stop(): Promise<void> } {
  const rounds = repeat(
    async () => ((await removeExpired()) ? 0 : EVERY_MS),
    EVERY_MS,
    (error) => log().warn({ err: error }, 'remembered values that have expired were not removed'),
  );
  rounds.now();
  return rounds;
}
