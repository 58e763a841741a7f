import { databasePool, prismaClient, type DatabaseClient } from '@/server/platform/db/client';

/** The next midnight in UTC, when the daily counters start again. */
export function nextUtcMidnight(now = new Date()): Date {
  const next = new Date(now);
  next.setUTCHours(24, 0, 0, 0);
  return next;
}

const UNLIMITED_DAILY_COUNT = 1_000_000_000;

/**
 * Adds `count` to today's counter if it stays within `limit` (null: unlimited). Otherwise returns false and adds
 * nothing. One statement: exact across processes and restarts.
 */
export async function takeDailyCount(
  db: DatabaseClient,
  scope: string,
  count: number,
  limit: number | null,
): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    INSERT INTO daily_use AS u (scope, day, count)
    SELECT ${scope}, (now() AT TIME ZONE 'UTC')::date, ${count}::int WHERE ${count}::int <= ${limit ?? UNLIMITED_DAILY_COUNT}::int
    ON CONFLICT (scope) DO UPDATE
    SET day = excluded.day, count = excluded.count + CASE WHEN u.day = excluded.day THEN u.count ELSE 0 END
    WHERE excluded.count + CASE WHEN u.day = excluded.day THEN u.count ELSE 0 END <= ${limit ?? UNLIMITED_DAILY_COUNT}::int
    RETURNING count`;
  return rows.length > 0;
}

/** Returns what was taken and not used. */
export async function returnDailyCount(scope: string, count: number): Promise<void> {
  await prismaClient().$executeRaw`
    UPDATE daily_use SET count = greatest(0, count - ${count}::int)
    WHERE scope = ${scope} AND day = (now() AT TIME ZONE 'UTC')::date`;
}

export async function readDailyCount(scope: string): Promise<number> {
  const { rows } = await databasePool().query<{ count: number }>(
    `SELECT count FROM daily_use WHERE scope = $1 AND day = (now() AT TIME ZONE 'UTC')::date`,
    [scope],
  );
  return rows[0]?.count ?? 0;
}
