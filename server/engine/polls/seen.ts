import type { Db } from '@/server/db/client';
import { pool } from '@/server/db/client';

/** Keys that a poll remembers, besides those of its last answer, which it never forgets. */
export const MAX_SEEN_KEYS = 50_000;

/** The keys of an answer that a poll does not know yet. */
export async function unknownKeys(pollId: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await pool().query<{ key: string }>({
    name: 'engine.unknown-keys',
    text: `SELECT k.key FROM unnest($2::text[]) k(key)
      WHERE NOT EXISTS (SELECT FROM poll_seen s WHERE s.poll_id = $1 AND s.key = k.key)`,
    values: [pollId, keys],
  });
  return new Set(rows.map(({ key }) => key));
}

/** Remembers keys. Returns those that were not known: no two transactions get the same one. */
export async function rememberKeys(db: Db, pollId: string, keys: readonly string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    INSERT INTO poll_seen (poll_id, key, returned_at) SELECT ${pollId}, key, now() FROM unnest(${[...keys]}::text[]) key ORDER BY key
    ON CONFLICT DO NOTHING RETURNING key`;
  return new Set(rows.map(({ key }) => key));
}

/** Notes which known keys the source still returns; exact to an hour, so that most polls write nothing. */
export async function touchKeys(pollId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await pool().query({
    name: 'engine.touch-keys',
    text: `UPDATE poll_seen SET returned_at = now()
      WHERE poll_id = $1 AND key = ANY($2::text[]) AND returned_at < now() - interval '1 hour'`,
    values: [pollId, keys],
  });
}

/** Bounds the growth: forgets keys above the limit that the last answer does not have, those returned longest ago first. */
export async function forgetKeys(pollId: string, keys: readonly string[]): Promise<void> {
  await pool().query({
    name: 'engine.forget-keys',
    // ARRAY: the list is computed once. A join may compute it for every row, if the table was never analyzed.
    text: `DELETE FROM poll_seen s WHERE s.poll_id = $1 AND s.key <> ALL($2::text[]) AND s.key = ANY(ARRAY(
        SELECT key FROM poll_seen WHERE poll_id = $1 ORDER BY returned_at DESC, key OFFSET ${MAX_SEEN_KEYS}
      ))`,
    values: [pollId, keys],
  });
}
