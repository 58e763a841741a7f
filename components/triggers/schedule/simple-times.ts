/** Times that can be chosen without writing a cron expression. `minute`: 0–59, `hour`: 0–23. */
export type SimpleSchedule =
  | { kind: 'minutes'; every: number }
  | { kind: 'hours'; every: number; minute: number }
  | { kind: 'daily'; hour: number; minute: number }
  /** `days`: 0 (Sunday) to 6, in ascending order, at least one. */
  | { kind: 'weekly'; days: number[]; hour: number; minute: number }
  /** `day`: 1–31, or the last one of the month. */
  | { kind: 'monthly'; day: number | 'last'; hour: number; minute: number };

/** Only divisors: a step counts from each full hour, so a step of 7 would not be "every 7 minutes". */
export const MINUTE_INTERVALS = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30];
export const HOUR_INTERVALS = [1, 2, 3, 4, 6, 8, 12];

const WEEKDAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAYS_PER_WEEK = 7;
/** From this length on, neighbouring days are written as a range. */
const MIN_RANGE_DAYS = 3;

/** The cron expression of chosen times. */
export function toCronExpression(times: SimpleSchedule): string {
  switch (times.kind) {
    case 'minutes':
      return `${writeCronStep(times.every)} * * * *`;
    case 'hours':
      return `${times.minute} ${writeCronStep(times.every)} * * *`;
    case 'daily':
      return `${times.minute} ${times.hour} * * *`;
    case 'weekly':
      return `${times.minute} ${times.hour} * * ${writeWeekdays(times.days)}`;
    case 'monthly':
      return `${times.minute} ${times.hour} ${times.day === 'last' ? 'L' : times.day} * *`;
  }
}

/** Finds the choice of times that equals a cron expression. Returns undefined if there is none. */
export function parseSimpleSchedule(cron: string): SimpleSchedule | undefined {
  const fields = cron.trim().toLowerCase().split(/\s+/);
  const [minuteText = '', hourText = '', dayText = '', month, weekText = ''] = fields;
  if (fields.length !== 5 || month !== '*') return undefined;
  const minute = parseCronNumber(minuteText, 0, 59);
  const hour = parseCronNumber(hourText, 0, 23);
  if (dayText === '*' && weekText === '*') {
    const minutes = parseCronStep(minuteText, MINUTE_INTERVALS);
    if (minutes !== undefined && hourText === '*') return { kind: 'minutes', every: minutes };
    if (minute === undefined) return undefined;
    if (hour !== undefined) return { kind: 'daily', hour, minute };
    const hours = parseCronStep(hourText, HOUR_INTERVALS);
    return hours === undefined ? undefined : { kind: 'hours', every: hours, minute };
  }
  if (minute === undefined || hour === undefined) return undefined;
  if (dayText === '*') {
    const days = parseWeekdays(weekText);
    return days && { kind: 'weekly', days, hour, minute };
  }
  if (weekText !== '*') return undefined;
  const day = dayText === 'l' ? 'last' : parseCronNumber(dayText, 1, 31);
  return day === undefined ? undefined : { kind: 'monthly', day, hour, minute };
}

const writeCronStep = (every: number) => (every === 1 ? '*' : `*/${every}`);

function parseCronStep(text: string, steps: readonly number[]): number | undefined {
  if (text === '*') return 1;
  const every = text.startsWith('*/') ? parseCronNumber(text.slice(2), 1, 59) : undefined;
  return every !== undefined && steps.includes(every) ? every : undefined;
}

function parseCronNumber(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,2}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
}

/** `1,2,3,5` → `1-3,5`. */
function writeWeekdays(days: readonly number[]): string {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs.map((run) => (run.length < MIN_RANGE_DAYS ? run.join(',') : `${run[0]}-${run.at(-1)}`)).join(',');
}

/** `mon-fri,0` → 0, 1, 2, 3, 4, 5. */
function parseWeekdays(text: string): number[] | undefined {
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const ends = part.split('-').map(parseWeekday);
    const [first, last = first] = ends;
    if (ends.length > 2 || first === undefined || last === undefined || ends.includes(undefined)) return undefined;
    if (first > last) return undefined;
    for (let day = first; day <= last; day++) found.add(day % DAYS_PER_WEEK);
  }
  return [...found].toSorted((a, b) => a - b);
}

function parseWeekday(text: string): number | undefined {
  const named = WEEKDAY_NAMES.indexOf(text);
  return named >= 0 ? named : parseCronNumber(text, 0, DAYS_PER_WEEK);
}
