import type { SimpleSchedule } from './simple-times';

/** A kind of choice, or the expression itself. */
export type ScheduleTimeKind = SimpleSchedule['kind'] | 'cron';

export const SCHEDULE_TIME_OPTIONS: { value: ScheduleTimeKind; label: string }[] = [
  { value: 'minutes', label: 'Every few minutes' },
  { value: 'hours', label: 'Every few hours' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
  { value: 'cron', label: 'By a cron expression' },
];

const WORKDAY_NUMBERS = [1, 2, 3, 4, 5];

/** The first times of a newly chosen kind; the time of day of the former choice is kept. */
export function initialSimpleSchedule(
  kind: SimpleSchedule['kind'],
  former: SimpleSchedule | undefined,
): SimpleSchedule {
  const hour = former && 'hour' in former ? former.hour : 8;
  const minute = former && 'minute' in former ? former.minute : 0;
  switch (kind) {
    case 'minutes':
      return { kind, every: 5 };
    case 'hours':
      return { kind, every: 1, minute };
    case 'daily':
      return { kind, hour, minute };
    case 'weekly':
      return { kind, days: WORKDAY_NUMBERS, hour, minute };
    case 'monthly':
      return { kind, day: 1, hour, minute };
  }
}
