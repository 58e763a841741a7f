import { Cron } from 'croner';
import type { FieldError } from '@/contract/error';

const FIELDS = 5;

const parse = (cron: string, timezone: string) => new Cron(cron.trim(), { timezone, mode: '5-part', paused: true });

/** What is wrong with a schedule's times; empty when it will fire. */
export function cronIssues(cron: string, timezone: string): FieldError[] {
  if (!Intl.supportedValuesOf('timeZone').includes(timezone) && timezone !== 'UTC') {
    try {
      // Aliases such as Europe/Kiev or Etc/UTC work without being listed.
      new Intl.DateTimeFormat('en', { timeZone: timezone });
    } catch {
      return [{ field: 'timezone', message: 'is not a known time zone' }];
    }
  }
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
