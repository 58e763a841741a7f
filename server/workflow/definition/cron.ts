import { Cron } from 'croner';
import type { FieldIssue } from '@/contract/error-response';

const CRON_FIELD_COUNT = 5;

const parseCronExpression = (cron: string, timezone: string) =>
  new Cron(cron.trim(), { timezone, mode: '5-part', paused: true });

/**
 * Whether a time zone is known. Aliases such as Europe/Kiev or Etc/UTC are accepted; offsets such as +01:00 are not.
 */
export function isKnownTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The issues of a schedule's times; empty if it is valid. */
export function cronIssues(cron: string, timezone: string): FieldIssue[] {
  if (!isKnownTimeZone(timezone)) return [{ field: 'timezone', message: 'is not a known time zone' }];
  if (cron.trim().split(/\s+/).length !== CRON_FIELD_COUNT)
    return [{ field: 'cron', message: `must have ${CRON_FIELD_COUNT} fields` }];
  try {
    return parseCronExpression(cron, timezone).nextRun() ? [] : [{ field: 'cron', message: 'never fires' }];
  } catch (error) {
    return [{ field: 'cron', message: error instanceof Error ? error.message : 'is not a cron expression' }];
  }
}

/** The next `count` times after `after`, in the schedule's time zone. */
export const nextCronTimes = (cron: string, timezone: string, after: Date, count = 1): Date[] =>
  parseCronExpression(cron, timezone).nextRuns(count, after);
