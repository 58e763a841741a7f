import { Cron } from 'croner';
import type { FieldError } from '@/contract/error';

const FIELDS = 5;

const parse = (cron: string, timezone: string) => new Cron(cron.trim(), { timezone, mode: '5-part', paused: true });

/** Aliases such as Europe/Kiev or Etc/UTC are accepted without being listed; offsets such as +01:00 are no names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The issues of a schedule's times; empty if it is valid. */
export function cronIssues(cron: string, timezone: string): FieldError[] {
  if (!isTimeZone(timezone)) return [{ field: 'timezone', message: 'is not a known time zone' }];
  if (cron.trim().split(/\s+/).length !== FIELDS) return [{ field: 'cron', message: `must have ${FIELDS} fields` }];
  try {
    return parse(cron, timezone).nextRun() ? [] : [{ field: 'cron', message: 'never fires' }];
  } catch (error) {
    return [{ field: 'cron', message: error instanceof Error ? error.message : 'is not a cron expression' }];
  }
}

/** The next `count` times after `after`, in the schedule's time zone. */
export const nextTimes = (cron: string, timezone: string, after: Date, count = 1): Date[] =>
  parse(cron, timezone).nextRuns(count, after);
