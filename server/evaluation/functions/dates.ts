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
import { InvalidCall, kindOf, textOf } from './arguments';

const MAX_TEXT = 200;
const ISO = "yyyy-MM-dd'T'HH:mm:ssxxx";

const MS = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 } as const;
const DAYS = { day: 'days', week: 'weeks', month: 'months', quarter: 'months', year: 'years' } as const;
/** The length of a unit in the unit that it is counted by. */
const COUNT = { day: 1, week: 1, month: 1, quarter: 3, year: 1 } as const;

type ExactUnit = keyof typeof MS;
type CalendarUnit = keyof typeof DAYS;
type Unit = ExactUnit | CalendarUnit;
const UNITS = [...Object.keys(MS), ...Object.keys(DAYS)] as Unit[];

const STARTS = {
  second: startOfSecond,
  minute: startOfMinute,
  hour: startOfHour,
  day: startOfDay,
  week: startOfISOWeek,
  month: startOfMonth,
  quarter: startOfQuarter,
  year: startOfYear,
};
const ENDS = {
  second: endOfSecond,
  minute: endOfMinute,
  hour: endOfHour,
  day: endOfDay,
  week: endOfISOWeek,
  month: endOfMonth,
  quarter: endOfQuarter,
  year: endOfYear,
};

const isExact = (unit: Unit): unit is ExactUnit => unit in MS;

/** A unit by its name, singular or plural. */
function unitOf(value: unknown, standard?: Unit): Unit {
  if (value === undefined && standard) return standard;
  const name = textOf(value, 'The unit', MAX_TEXT);
  const unit = UNITS.find((one) => one === name || `${one}s` === name);
  if (!unit) throw new InvalidCall(`"${name}" is not a unit of time: use ${UNITS.join(', ')}`);
  return unit;
}

const knownZones = new Set<string>();

/** A time zone by its IANA name. */
function zoneOf(value: unknown, standard: string): string {
  const zone = value === undefined || value === null ? standard : textOf(value, 'The time zone', MAX_TEXT);
  if (knownZones.has(zone)) return zone;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    throw new InvalidCall(`"${zone}" is not a time zone: use an IANA name such as Europe/Berlin`);
  }
  if (knownZones.size < 1000) knownZones.add(zone);
  return zone;
}

/** A time of the internet's mail and HTTP headers: `Tue, 03 Feb 2026 10:00:00 GMT`. */
const RFC_2822 = /^[A-Za-z]{3}, \d{1,2} [A-Za-z]{3} \d{4} [\d:]{5,8} (?:[A-Z]{1,3}|[+-]\d{4})$/;

/** A time in a zone. ISO 8601 without an offset is in that zone; a number counts milliseconds since 1970. */
function timeOf(value: unknown, zone: string): TZDate {
  const time = typeof value === 'number' ? new TZDate(value, zone) : textTime(value, zone);
  if (Number.isNaN(time.getTime())) throw new InvalidCall(`${JSON.stringify(value)} is not a time: use ISO 8601`);
  return time;
}

function textTime(value: unknown, zone: string): TZDate {
  if (typeof value !== 'string') throw new InvalidCall(`The time must be a text or a number, not ${kindOf(value)}`);
  const text = textOf(value.trim(), 'The time', MAX_TEXT);
  return RFC_2822.test(text) ? new TZDate(Date.parse(text), zone) : parseISO(text, { in: tz(zone) });
}

const written = (time: Date): string => {
  if (Number.isNaN(time.getTime())) throw new InvalidCall('The result is not a time that can be written');
  return new Date(time.getTime()).toISOString();
};

/** Runs a function of date-fns, whose errors name the faulty part of a pattern. */
function byPattern<Result>(pattern: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/ \(in .*/s, '');
    throw new InvalidCall(`The pattern "${pattern}" is not valid: ${reason}`);
  }
}

export function formatDate([value, pattern, zoneName]: unknown[], standardZone: string): string {
  const zone = zoneOf(zoneName, standardZone);
  const chosen = pattern === undefined ? ISO : textOf(pattern, 'The pattern', MAX_TEXT);
  const time = timeOf(value, zone);
  return byPattern(chosen, () => format(time, chosen));
}

export function parseDate([text, pattern, zoneName]: unknown[], standardZone: string): string {
  const zone = zoneOf(zoneName, standardZone);
  if (pattern === undefined || pattern === null) return written(timeOf(text, zone));
  const chosen = textOf(pattern, 'The pattern', MAX_TEXT);
  const given = textOf(text, 'The time', MAX_TEXT);
  const time = byPattern(chosen, () => parse(given, chosen, TZDate.tz(zone), { in: tz(zone) }));
  if (Number.isNaN(time.getTime())) throw new InvalidCall(`"${given}" does not match the pattern "${chosen}"`);
  return written(time);
}

/** The time of day stays the same where a day is not 24 hours long. */
const plus = (time: TZDate, amount: number, unit: CalendarUnit): Date =>
  add(time, { [DAYS[unit]]: amount * COUNT[unit] });

export function addTime([value, amount, unitName, zoneName]: unknown[], standardZone: string): string {
  const unit = unitOf(unitName);
  const time = timeOf(value, zoneOf(zoneName, standardZone));
  if (typeof amount !== 'number') throw new InvalidCall(`The amount must be a number, not ${kindOf(amount)}`);
  if (isExact(unit)) return written(new Date(time.getTime() + amount * MS[unit]));
  if (!Number.isInteger(amount)) throw new InvalidCall(`The amount of ${unit}s must be a whole number`);
  return written(plus(time, amount, unit));
}

export function diffTime([from, to, unitName, zoneName]: unknown[], standardZone: string): number {
  const unit = unitOf(unitName, 'millisecond');
  const zone = zoneOf(zoneName, standardZone);
  const [start, end] = [timeOf(from, zone), timeOf(to, zone)];
  const ms = end.getTime() - start.getTime();
  const difference = isExact(unit) ? ms / MS[unit] : calendarDifference(start, end, unit);
  if (!Number.isFinite(difference)) throw new InvalidCall('The times are too far apart');
  return difference;
}

const LENGTH_MS = {
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  quarter: 7_889_238_000,
  year: 31_556_952_000,
};

/** Whole units, and the part of the next one that has passed. */
function calendarDifference(start: TZDate, end: TZDate, unit: CalendarUnit): number {
  const ms = end.getTime() - start.getTime();
  // The estimate is below the result, by two units at most.
  let whole = Math.trunc(ms / LENGTH_MS[unit]) - 1;
  while (plus(start, whole + 1, unit).getTime() <= end.getTime()) whole += 1;
  const before = plus(start, whole, unit).getTime();
  const after = plus(start, whole + 1, unit).getTime();
  return whole + (end.getTime() - before) / (after - before);
}

const edge = (edges: typeof STARTS) => {
  return ([value, unitName, zoneName]: unknown[], standardZone: string): string => {
    const unit = unitOf(unitName);
    const time = timeOf(value, zoneOf(zoneName, standardZone));
    return written(unit === 'millisecond' ? time : edges[unit](time));
  };
};

export const startOf = edge(STARTS);
export const endOf = edge(ENDS);
