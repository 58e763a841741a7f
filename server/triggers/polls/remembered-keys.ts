import type { DatabaseClient } from '@/server/platform/db/client';
import { databasePool } from '@/server/platform/db/client';

/** Limit of the keys that a poll remembers, in addition to those of its last response, which it never forgets. */
export const MAX_REMEMBERED_KEYS = 50_000;

/** Returns the keys of a response that a poll does not remember. */
export async function findUnknownKeys(pollId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await databasePool().query<{ key: string }>({
    name: 'engine.unknown-keys',
    text: `SELECT k.key FROM unnest($2::text[]) k(key)
      WHERE NOT EXISTS (SELECT FROM poll_seen s WHERE s.poll_id = $1 AND s.key = k.key)`,
    values: [pollId, keys],
  });
  return new Set(rows.map(({ key }) => key));
}

/** Remembers keys. Returns those that were new: no two transactions get the same key. */
export async function rememberPolledKeys(
  db: DatabaseClient,
  pollId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    INSERT INTO poll_seen (poll_id, key, returned_at) SELECT ${pollId}, key, now() FROM unnest(${[...keys]}::text[]) key ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key`;
  return new Set(rows.map(({ key }) => key));
}

/** Stores when the source last returned the known keys, to the hour, so that most polls write nothing. */
export async function touchPolledKeys(pollId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await databasePool().query({
    name: 'engine.touch-keys',
    text: `UPDATE poll_seen SET returned_at = now()
      WHERE poll_id = $1 AND key = ANY($2::text[]) AND returned_at < now() - interval '1 hour'`,
    values: [pollId, keys],
  });
}

/**
 * Bounds the number of keys: forgets keys above the limit that are not in the last response, those returned longest ago
 * first.
 */
export async function forgetOldestKeys(pollId: string, keys: readonly string[]): Promise<void> {
  await databasePool().query({
    name: 'engine.forget-keys',
    // ARRAY: the list is computed once. A join may compute it for every row, if the table was never analyzed.
    text: `DELETE FROM poll_seen s WHERE s.poll_id = $1 AND s.key <> ALL($2::text[]) AND s.key = ANY(ARRAY(
        SELECT key FROM poll_seen WHERE poll_id = $1 ORDER BY returned_at DESC, key OFFSET ${MAX_REMEMBERED_KEYS}
      ))`,
    values: [pollId, keys],
  });
}
