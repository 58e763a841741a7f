import { TZDate, tz } from '@date-fns/tz';
import { add } from 'date-fns/add';
import { endOfDay } from 'date-fns/endOfDay';
import { endOfHour } from 'date-fns/endOfHour';
import { endOfISOWeek } from 'date-fns/endOfISOWeek';
import { endOfMinute } from 'date-fns/endOfMinute';
import { endOfMonth } from 'date-fns/endOfMonth';
import { endOfQuarter } from 'date-fns/endOfQuarter';
import { endOfSecond } from 'date-fns/endOfSecond';
import { endOfYear } from 'date-fns/endOfYear';
import { format } from 'date-fns/format';
import { parse } from 'date-fns/parse';
import { parseISO } from 'date-fns/parseISO';
import { startOfDay } from 'date-fns/startOfDay';
import { startOfHour } from 'date-fns/startOfHour';
import { startOfISOWeek } from 'date-fns/startOfISOWeek';
import { startOfMinute } from 'date-fns/startOfMinute';
import { startOfMonth } from 'date-fns/startOfMonth';
import { startOfQuarter } from 'date-fns/startOfQuarter';
import { startOfSecond } from 'date-fns/startOfSecond';
import { startOfYear } from 'date-fns/startOfYear';
import { InvalidCallError, describeValueType, requireTextArgument } from './arguments';

const MAX_DATE_ARGUMENT = 200;
const DEFAULT_DATE_PATTERN = "yyyy-MM-dd'T'HH:mm:ssxxx";

const MS_PER_EXACT_UNIT = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 } as const;
const DURATION_FIELDS = { day: 'days', week: 'weeks', month: 'months', quarter: 'months', year: 'years' } as const;
/** The length of a unit in the unit that it is counted by. */
const DURATION_COUNTS = { day: 1, week: 1, month: 1, quarter: 3, year: 1 } as const;

type ExactTimeUnit = keyof typeof MS_PER_EXACT_UNIT;
type CalendarTimeUnit = keyof typeof DURATION_FIELDS;
type TimeUnit = ExactTimeUnit | CalendarTimeUnit;
const TIME_UNITS = [...Object.keys(MS_PER_EXACT_UNIT), ...Object.keys(DURATION_FIELDS)] as TimeUnit[];

const UNIT_STARTS = {
  second: startOfSecond,
  minute: startOfMinute,
  hour: startOfHour,
  day: startOfDay,
  week: startOfISOWeek,
  month: startOfMonth,
  quarter: startOfQuarter,
  year: startOfYear,
};
const UNIT_ENDS = {
  second: endOfSecond,
  minute: endOfMinute,
  hour: endOfHour,
  day: endOfDay,
  week: endOfISOWeek,
  month: endOfMonth,
  quarter: endOfQuarter,
  year: endOfYear,
};

const isExactUnit = (unit: TimeUnit): unit is ExactTimeUnit => unit in MS_PER_EXACT_UNIT;

/** A unit by its name, singular or plural. */
function parseTimeUnit(value: unknown, standard?: TimeUnit): TimeUnit {
  if (value === undefined && standard) return standard;
  const name = requireTextArgument(value, 'The unit', MAX_DATE_ARGUMENT);
  const unit = TIME_UNITS.find((one) => one === name || `${one}s` === name);
  if (!unit) throw new InvalidCallError(`"${name}" is not a unit of time: use ${TIME_UNITS.join(', ')}`);
  return unit;
}

const knownTimeZones = new Set<string>();

/** A time zone by its IANA name. */
function resolveTimeZone(value: unknown, standard: string): string {
  const zone =
    value === undefined || value === null ? standard : requireTextArgument(value, 'The time zone', MAX_DATE_ARGUMENT);
  if (knownTimeZones.has(zone)) return zone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new InvalidCallError(`"${zone}" is not a time zone: use an IANA name such as Europe/Berlin`);
  }
  if (knownTimeZones.size < 1000) knownTimeZones.add(zone);
  return zone;
}

/** A time of the internet's mail and HTTP headers: `Tue, 03 Feb 2026 10:00:00 GMT`. */
const RFC_2822_TIME = /^[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4} [\d:]{5,8} (?:[A-Z]{1,3}|[+-]\d{4})$/;

/** A time in a zone. ISO 8601 without an offset is in that zone; a number counts milliseconds since 1970. */
function parseTime(value: unknown, zone: string): TZDate {
  const time = typeof value === 'number' ? new TZDate(value, zone) : parseTimeText(value, zone);
  if (Number.isNaN(time.getTime())) throw new InvalidCallError(`${JSON.stringify(value)} is not a time: use ISO 8601`);
  return time;
}

function parseTimeText(value: unknown, zone: string): TZDate {
  if (typeof value !== 'string')
    throw new InvalidCallError(`The time must be a text or a number, not ${describeValueType(value)}`);
  const text = requireTextArgument(value.trim(), 'The time', MAX_DATE_ARGUMENT);
  return RFC_2822_TIME.test(text) ? new TZDate(Date.parse(text), zone) : parseISO(text, { in: tz(zone) });
}

const formatIsoTime = (time: Date): string => {
  if (Number.isNaN(time.getTime())) throw new InvalidCallError('The result is not a time that can be written');
  return new Date(time.getTime()).toISOString();
};

/** Runs a function of date-fns, whose errors name the faulty part of a pattern. */
function runWithPattern<Result>(pattern: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/ \(in .*/s, '');
    throw new InvalidCallError(`The pattern "${pattern}" is not valid: ${reason}`);
  }
}

export function formatDate([value, pattern, zoneName]: unknown[], standardZone: string): string {
  const zone = resolveTimeZone(zoneName, standardZone);
  const chosen =
    pattern === undefined ? DEFAULT_DATE_PATTERN : requireTextArgument(pattern, 'The pattern', MAX_DATE_ARGUMENT);
  const time = parseTime(value, zone);
  return runWithPattern(chosen, () => format(time, chosen));
}

export function parseDate([text, pattern, zoneName]: unknown[], standardZone: string): string {
  const zone = resolveTimeZone(zoneName, standardZone);
  if (pattern === undefined || pattern === null) return formatIsoTime(parseTime(text, zone));
  const chosen = requireTextArgument(pattern, 'The pattern', MAX_DATE_ARGUMENT);
  const given = requireTextArgument(text, 'The time', MAX_DATE_ARGUMENT);
  const time = runWithPattern(chosen, () => parse(given, chosen, TZDate.tz(zone), { in: tz(zone) }));
  if (Number.isNaN(time.getTime())) throw new InvalidCallError(`"${given}" does not match the pattern "${chosen}"`);
  return formatIsoTime(time);
}

/** The time of day stays the same where a day is not 24 hours long. */
const addCalendarUnits = (time: TZDate, amount: number, unit: CalendarTimeUnit): Date =>
  add(time, { [DURATION_FIELDS[unit]]: amount * DURATION_COUNTS[unit] });

export function addTimeAmount([value, amount, unitName, zoneName]: unknown[], standardZone: string): string {
  const unit = parseTimeUnit(unitName);
  const time = parseTime(value, resolveTimeZone(zoneName, standardZone));
  if (typeof amount !== 'number')
    throw new InvalidCallError(`The amount must be a number, not ${describeValueType(amount)}`);
  if (isExactUnit(unit)) return formatIsoTime(new Date(time.getTime() + amount * MS_PER_EXACT_UNIT[unit]));
  if (!Number.isInteger(amount)) throw new InvalidCallError(`The amount of ${unit}s must be a whole number`);
  return formatIsoTime(addCalendarUnits(time, amount, unit));
}

export function timeDifference([from, to, unitName, zoneName]: unknown[], standardZone: string): number {
  const unit = parseTimeUnit(unitName, 'millisecond');
  const zone = resolveTimeZone(zoneName, standardZone);
  const [start, end] = [parseTime(from, zone), parseTime(to, zone)];
  const ms = end.getTime() - start.getTime();
  const difference = isExactUnit(unit) ? ms / MS_PER_EXACT_UNIT[unit] : calendarDifference(start, end, unit);
  if (!Number.isFinite(difference)) throw new InvalidCallError('The times are too far apart');
  return difference;
}

const AVERAGE_UNIT_MS = {
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  quarter: 7_889_238_000,
  year: 31_556_952_000,
};

/** Whole units, and the part of the next one that has passed. */
function calendarDifference(start: TZDate, end: TZDate, unit: CalendarTimeUnit): number {
  const ms = end.getTime() - start.getTime();
  // The estimate is below the result, by two units at most.
  let whole = Math.trunc(ms / AVERAGE_UNIT_MS[unit]) - 1;
  while (addCalendarUnits(start, whole + 1, unit).getTime() <= end.getTime()) whole += 1;
  const before = addCalendarUnits(start, whole, unit).getTime();
  const after = addCalendarUnits(start, whole + 1, unit).getTime();
  return whole + (end.getTime() - before) / (after - before);
}

const createUnitEdge = (edges: typeof UNIT_STARTS) => {
  return ([value, unitName, zoneName]: unknown[], standardZone: string): string => {
    const unit = parseTimeUnit(unitName);
    const time = parseTime(value, resolveTimeZone(zoneName, standardZone));
    return formatIsoTime(unit === 'millisecond' ? time : edges[unit](time));
  };
};

export const startOfTimeUnit = createUnitEdge(UNIT_STARTS);
export const endOfTimeUnit = createUnitEdge(UNIT_ENDS);
