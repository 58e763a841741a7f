import { databasePool, type DatabaseClient } from '@/server/platform/db/client';
import { groupCommit } from '@/server/platform/db/group-commit';
import { membershipCountsSql } from '@/server/people/access/membership';

/**
 * SQL: the moment at which a session expires. Thirty days after its latest tokens, or earlier by the policy of a
 * workspace whose membership counts for the session: a time after the login, or after the latest call. The strictest
 * applies. `s` is the session's alias.
 */
export const sessionEndSql = (s: string) => `
  least(${s}.expires_at, (
    SELECT min(least(
      ${s}.created_at + make_interval(hours => (y.settings->>'sessionMaxHours')::int),
      ${s}.last_used_at + make_interval(mins => (y.settings->>'sessionIdleMinutes')::int)))
    FROM member x JOIN workspace y ON y.id = x.workspace_id
    WHERE x.user_id = ${s}.user_id AND ${membershipCountsSql('x', s)}))`;

/** SQL: whether a session can still be used. All checks use this expression. */
export const isSessionOpenSql = (s: string) => `(${s}.ended_at IS NULL AND ${sessionEndSql(s)} > now())`;

/** The expiry of a user's open sessions, by session id. */
export async function findSessionExpiries(db: DatabaseClient, userId: string): Promise<Map<string, Date>> {
  const rows = await db.$queryRawUnsafe<{ id: string; end: Date }[]>(
    `SELECT id, ${sessionEndSql('s')} AS end FROM session s WHERE user_id = $1 AND ${isSessionOpenSql('s')}`,
    userId,
  );
  return new Map(rows.map(({ id, end }) => [id, end]));
}

/** The ids of these sessions that are still open. */
export async function findOpenSessionIds(sessionIds: readonly string[]): Promise<Set<string>> {
  if (sessionIds.length === 0) return new Set();
  const { rows } = await databasePool().query<{ id: string }>({
    name: 'sessions-living',
    text: `SELECT id FROM session s WHERE id = ANY($1::text[]) AND ${isSessionOpenSql('s')}`,
    values: [sessionIds],
  });
  return new Set(rows.map(({ id }) => id));
}

/** SQL: whether the stored time of the last use is old enough to be updated. */
export const isSessionUseOldSql = (s: string) => `${s}.last_used_at < now() - interval '1 minute'`;

// SKIP LOCKED: another call that stores the same need not be waited for.
const MARK_SESSION_USED_STATEMENT = {
  name: 'session-used',
  text: `
    UPDATE session SET last_used_at = now() WHERE id IN (
      SELECT id FROM session s WHERE id = ANY($1::text[]) AND ${isSessionUseOldSql('s')} FOR UPDATE SKIP LOCKED
    )`,
};

/** Stores that a session was used; concurrent calls store it once. */
export const markSessionUsed = groupCommit<string, void>(async (ids) => {
  await databasePool().query({ ...MARK_SESSION_USED_STATEMENT, values: [[...new Set(ids)]] });
  return ids.map(() => undefined);
});
