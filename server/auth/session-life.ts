import { pool, type Db } from '../db/client';
import { gather } from '../db/gather';

/**
 * SQL: the moment at which a session ends by itself. Thirty days after its latest tokens, or sooner where a workspace of
 * the person, one that the session reaches, says so: so long after the login, or after the latest call. The strictest
 * counts. `s` is the session's alias.
 */
export const endOf = (s: string) => `
  least(${s}.expires_at, (
    SELECT min(least(
      ${s}.created_at + make_interval(hours => (y.settings->>'sessionMaxHours')::int),
      ${s}.last_used_at + make_interval(mins => (y.settings->>'sessionIdleMinutes')::int)))
    FROM member x JOIN workspace y ON y.id = x.workspace_id
    WHERE x.user_id = ${s}.user_id AND (${s}.workspace_id IS NULL OR x.workspace_id = ${s}.workspace_id)))`;

/** SQL: whether a session can still be used. The one place that says so. */
export const lives = (s: string) => `(${s}.ended_at IS NULL AND ${endOf(s)} > now())`;

/** The ends of those sessions of a person that live, by session. */
export async function livingSessions(db: Db, userId: string): Promise<Map<string, Date>> {
  const rows = await db.$queryRawUnsafe<{ id: string; end: Date }[]>(
    `SELECT id, ${endOf('s')} AS end FROM session s WHERE user_id = $1 AND ${lives('s')}`,
    userId,
  );
  return new Map(rows.map(({ id, end }) => [id, end]));
}

/** Which of these sessions live. */
export async function stillLiving(sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const { rows } = await pool().query<{ id: string }>({
    name: 'sessions-living',
    text: `SELECT id FROM session s WHERE id = ANY($1::text[]) AND ${lives('s')}`,
    values: [sessionIds],
  });
  return new Set(rows.map(({ id }) => id));
}

/** SQL: whether a use is worth writing down again. */
export const isUseOld = (s: string) => `${s}.last_used_at < now() - interval '1 minute'`;

// SKIP LOCKED: whoever else is writing the same down need not be waited for.
const TOUCH = {
  name: 'session-used',
  text: `
    UPDATE session SET last_used_at = now() WHERE id IN (
      SELECT id FROM session s WHERE id = ANY($1::text[]) AND ${isUseOld('s')} FOR UPDATE SKIP LOCKED
    )`,
};

/** Writes down that a session was used; of calls at the same moment once. */
export const markUsed = gather<string, void>(async (ids) => {
  await pool().query({ ...TOUCH, values: [[...new Set(ids)]] });
  return ids.map(() => undefined);
});
