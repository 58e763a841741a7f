import type { Db } from '@/server/db/client';
import { prisma } from '@/server/db/client';
import { storedText } from '../store/value';
import { storeMissedEvent } from '../queue/missed';
import { nextTimes } from '@/server/workflow/cron';
import type { ClaimedPoll } from './claim';

/** Longest wait after failures, unless the interval is longer or the source asks for more. */
const MAX_BACKOFF_MS = 15 * 60_000;
/** First wait of a poll with a cron expression after a failure. */
const CRON_RETRY_MS = 60_000;
/** Longest wait that a source can ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const MAX_MESSAGE = 2000;

type Times = Pick<ClaimedPoll, 'intervalMs' | 'cron' | 'timezone'>;

const tickAfter = ({ cron, timezone }: Times, after: Date): Date | undefined =>
  cron === null ? undefined : nextTimes(cron, timezone ?? 'UTC', after)[0];

/** When a poll is due that succeeded, or is new: `start` is when it began. */
export function nextPollAt(times: Times, start: Date, now = new Date()): Date {
  if (times.intervalMs === null) return tickAfter(times, now) ?? new Date(now.getTime() + MAX_RETRY_AFTER_MS);
  return new Date(Math.max(now.getTime(), start.getTime() + times.intervalMs));
}

/**
 * When a poll is due that failed so many times in a row: exponential backoff. One with a cron expression is tried again
 * before its next time.
 */
export function retryAt(times: Times, failures: number, retryAfterMs: number, now: Date): Date {
  const first = times.intervalMs ?? CRON_RETRY_MS;
  const backoffMs = Math.min(MAX_BACKOFF_MS, first * 2 ** Math.min(failures - 1, 20));
  const waitMs = Math.max(times.intervalMs ?? 0, backoffMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  return new Date(now.getTime() + waitMs);
}

/** What a successful poll has found. */
export interface Success {
  start: Date;
  /** JSON; `null`: the stored cursor stays. */
  cursor: string;
  items: number;
  newItems: number;
  /** Why `inputSchema` refuses an item; null: it refuses none. */
  refused: string | null;
}

/** Stores the cursor and the next time, and gives the poll back. False: another process has it. */
export async function storeSuccess(db: Db, poll: ClaimedPoll, success: Success): Promise<boolean> {
  const { start, cursor, items, newItems, refused } = success;
  const next = nextPollAt(poll, start);
  const updated = await db.$executeRaw`
    UPDATE poll SET cursor = CASE WHEN ${cursor} = 'null' THEN cursor ELSE ${cursor}::json END,
      first_polled_at = coalesce(first_polled_at, now()), next_poll_at = ${next}, lease_token = NULL, lease_until = NULL,
      failures = 0, last_error = NULL, last_polled_at = now(), last_items = ${items}::int, last_new_items = ${newItems}::int,
      last_refused_at = CASE WHEN ${refused}::text IS NULL THEN last_refused_at ELSE now() END,
      last_refused_reason = coalesce(${refused}::text, last_refused_reason)
    WHERE id = ${poll.id} AND lease_token = ${poll.token}`;
  return updated > 0;
}

/**
 * Stores why a poll failed and when it is tried again, and gives it back. Tells the alerts of the first failure in a row.
 * `isFirst`: it counts as the first one, for example because runs have started.
 */
export async function storeFailure(
  poll: ClaimedPoll,
  { message, retryAfterMs }: { message: string; retryAfterMs: number },
  isFirst: boolean,
): Promise<void> {
  const failures = isFirst ? 1 : poll.failures + 1;
  const error = storedText(message).slice(0, MAX_MESSAGE).toWellFormed();
  const next = retryAt(poll, failures, retryAfterMs, new Date());
  await prisma().$transaction(async (db) => {
    const updated = await db.$executeRaw`
      UPDATE poll SET next_poll_at = ${next}, lease_token = NULL, lease_until = NULL, failures = ${failures}::int,
        last_error = ${error}, last_polled_at = now()
      WHERE id = ${poll.id} AND lease_token = ${poll.token}`;
    if (updated > 0 && poll.failures === 0) await storeMissedEvent(db, poll);
  });
}
