import type { DatabaseClient } from '@/server/platform/db/client';
import { prismaClient } from '@/server/platform/db/client';
import { toStorableText } from '@/server/engine/store/value';
import { storeScheduleMissedEvent } from '@/server/triggers/missed-events';
import { nextCronTimes } from '@/server/workflow/definition/cron';
import type { ClaimedPoll } from './claim';

/** Maximum wait after failures, unless the interval is longer or the source asks for more. */
const MAX_POLL_BACKOFF_MS = 15 * 60_000;
/** Wait after the first failure of a poll with a cron expression. */
const FIRST_CRON_RETRY_MS = 60_000;
/** Maximum wait that a source can ask for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const MAX_POLL_ERROR_LENGTH = 2000;

type PollTiming = Pick<ClaimedPoll, 'intervalMs' | 'cron' | 'timezone'>;

const nextCronTime = ({ cron, timezone }: PollTiming, after: Date): Date | undefined =>
  cron === null ? undefined : nextCronTimes(cron, timezone ?? 'UTC', after)[0];

/** Returns when a poll is due after a success, or when it is new. `start`: when the last attempt began. */
export function nextPollTime(times: PollTiming, start: Date, now = new Date()): Date {
  if (times.intervalMs === null) return nextCronTime(times, now) ?? new Date(now.getTime() + MAX_RETRY_AFTER_MS);
  return new Date(Math.max(now.getTime(), start.getTime() + times.intervalMs));
}

/**
 * Returns when a poll is due after `failures` failures in a row, with exponential backoff. A poll with a cron
 * expression is attempted again before its next time.
 */
export function nextRetryTime(times: PollTiming, failures: number, retryAfterMs: number, now: Date): Date {
  const first = times.intervalMs ?? FIRST_CRON_RETRY_MS;
  const backoffMs = Math.min(MAX_POLL_BACKOFF_MS, first * 2 ** Math.min(failures - 1, 20));
  const waitMs = Math.max(times.intervalMs ?? 0, backoffMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
  return new Date(now.getTime() + waitMs);
}

/** The result of a successful poll. */
export interface PollSuccess {
  start: Date;
  /** JSON; `null`: the stored cursor stays. */
  cursor: string;
  items: number;
  newItems: number;
  /** Why an item was refused; null: none was. */
  refused: string | null;
}

/** Stores the cursor and the next time, and releases the poll. Returns false if another process owns it. */
export async function storePollSuccess(db: DatabaseClient, poll: ClaimedPoll, success: PollSuccess): Promise<boolean> {
  const { start, cursor, items, newItems, refused } = success;
  const next = nextPollTime(poll, start);
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
 * Stores why a poll failed and when it is attempted again, and releases it. The first failure in a row stores an alert
 * event. `isFirst`: the failure counts as the first one, for example because runs have started.
 */
export async function storePollFailure(
  poll: ClaimedPoll,
  { message, retryAfterMs }: { message: string; retryAfterMs: number },
  isFirst: boolean,
): Promise<void> {
  const failures = isFirst ? 1 : poll.failures + 1;
  const error = toStorableText(message).slice(0, MAX_POLL_ERROR_LENGTH).toWellFormed();
  const next = nextRetryTime(poll, failures, retryAfterMs, new Date());
  await prismaClient().$transaction(async (db) => {
    const updated = await db.$executeRaw`
      UPDATE poll SET next_poll_at = ${next}, lease_token = NULL, lease_until = NULL, failures = ${failures}::int,
        last_error = ${error}, last_polled_at = now()
      WHERE id = ${poll.id} AND lease_token = ${poll.token}`;
    if (updated > 0 && poll.failures === 0) await storeScheduleMissedEvent(db, poll);
  });
}
