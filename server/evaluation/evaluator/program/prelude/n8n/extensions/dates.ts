import { refuseCall, type MethodsByName } from './extension';
import { readMoment } from './texts';

/** What the methods use of luxon's DateTime. */
export interface DateTimeValue {
  readonly weekday: number;
  readonly isInDST: boolean;
  readonly invalidReason: string | null;
  plus(duration: unknown): DateTimeValue;
  minus(duration: unknown): DateTimeValue;
  startOf(unit: string): DateTimeValue;
  endOf(unit: string): DateTimeValue;
  get(unit: string): number;
  toFormat(format: unknown, options: object): string;
  toMillis(): number;
  toJSDate(): Date;
  diff(other: unknown, units: unknown[]): { as(unit: unknown): number; toObject(): Record<string, number> };
}
declare const DateTime: {
  fromJSDate(date: Date): DateTimeValue;
  isDateTime(value: unknown): value is DateTimeValue;
  now(): DateTimeValue;
};

/** A date of JavaScript, or of luxon. */
export type N8nDate = Date | DateTimeValue;

const toMoment = (date: N8nDate): DateTimeValue => (DateTime.isDateTime(date) ? date : DateTime.fromJSDate(date));
/** What was computed of a date, in the kind of it. */
const keepKind = (date: N8nDate, compute: (moment: DateTimeValue) => DateTimeValue): N8nDate =>
  DateTime.isDateTime(date) ? compute(date) : compute(DateTime.fromJSDate(date)).toJSDate();

/** Other names of units of a duration. */
const DURATION_UNITS: Readonly<Record<string, string>> = {
  ms: 'milliseconds',
  sec: 'seconds',
  secs: 'seconds',
  min: 'minutes',
  mins: 'minutes',
  hr: 'hours',
  hrs: 'hours',
};
/** Other names of parts of a date. */
const DATE_UNITS: Readonly<Record<string, string>> = {
  ms: 'millisecond',
  sec: 'second',
  secs: 'second',
  min: 'minute',
  mins: 'minute',
  hr: 'hour',
  hrs: 'hour',
};
const findUnit = (units: Readonly<Record<string, string>>, unit: unknown): string =>
  Object.hasOwn(units, String(unit)) ? (units[String(unit)] ?? '') : String(unit);

/** One value is a duration itself; two are an amount and its unit. */
const readDuration = (given: readonly unknown[]): unknown => {
  if (given.length === 1) return given[0];
  const [amount = 0, unit = 'minutes'] = given;
  return { [findUnit(DURATION_UNITS, unit)]: amount };
};

const MS_PER_DAY = 86_400_000;

/** The number of a day in its year, from 1. */
function countDayOfYear(date: Date): number {
  const start = new Date(date.getFullYear(), 0, 0);
  const shiftMs = (start.getTimezoneOffset() - date.getTimezoneOffset()) * 60_000;
  return Math.floor((date.getTime() - start.getTime() + shiftMs) / MS_PER_DAY);
}

function extractPart(date: N8nDate, part: unknown = 'week'): number {
  if (part === 'yearDayNumber') return countDayOfYear(DateTime.isDateTime(date) ? date.toJSDate() : date);
  return toMoment(date).get(part === 'week' ? 'weekNumber' : findUnit(DATE_UNITS, part));
}

/** A moment to compare with; undefined: it is none. */
function readBound(value: unknown): N8nDate | undefined {
  if (typeof value === 'string') {
    const moment = DateTime.fromJSDate(new Date(value));
    return moment.invalidReason === null ? moment : undefined;
  }
  return value instanceof Date || DateTime.isDateTime(value) ? value : undefined;
}

function isBetween(date: N8nDate, ...bounds: unknown[]): boolean | undefined {
  if (bounds.length !== 2) return refuseCall('isBetween(): expected exactly two args');
  const [one, other] = bounds.map(readBound);
  if (!one || !other) return undefined;
  const [first, last] = one > other ? [other, one] : [one, other];
  return first < date && date < last;
}

const DURATION_UNIT_NAMES = [
  'milliseconds',
  'seconds',
  'minutes',
  'hours',
  'days',
  'weeks',
  'months',
  'quarters',
  'years',
];
const DIFFERENCE_UNITS = new Set([
  ...DURATION_UNIT_NAMES,
  ...'day week month year hour minute second millisecond weekNumber yearDayNumber weekday'.split(' '),
]);

function computeDifference(date: N8nDate, other: unknown, units: unknown = 'days'): unknown {
  const asked: unknown[] = Array.isArray(units) ? units : [units];
  const names = asked.length === 0 ? ['days'] : asked;
  const unknown = names.find((name) => !DIFFERENCE_UNITS.has(name as string));
  if (unknown !== undefined)
    refuseCall(
      `Unsupported unit '${String(unknown)}'. Supported: ${DURATION_UNIT_NAMES.map((one) => `'${one}'`).join(', ')}.`,
    );
  const from =
    typeof other === 'string' ? readMoment(other) : DateTime.isDateTime(other) ? other : toMoment(other as Date);
  // Only a date of luxon has it: another one is an error, as in n8n.
  const found = (date as DateTimeValue).diff(from, names);
  return names.length > 1 ? found.toObject() : found.as(names[0]);
}

const toMillis = (date: N8nDate): number => (DateTime.isDateTime(date) ? date.toMillis() : date.getTime());

export const DATE_EXTENSIONS: MethodsByName<N8nDate> = {
  isEmpty: () => false,
  isNotEmpty: () => true,
  toDateTime: toMoment,
  toInt: toMillis,
  toFloat: toMillis,
  toBoolean: () => undefined,
  plus: (date, ...given) => keepKind(date, (moment) => moment.plus(readDuration(given))),
  minus: (date, ...given) => keepKind(date, (moment) => moment.minus(readDuration(given))),
  beginningOf: (date, unit = 'week') => keepKind(date, (moment) => moment.startOf(findUnit(DATE_UNITS, unit))),
  endOfMonth: (date) => keepKind(date, (moment) => moment.endOf('month')),
  extract: extractPart,
  format: (date, format, locale = {}) => toMoment(date).toFormat(format, { ...(locale as object) }),
  isBetween,
  isDst: (date) => toMoment(date).isInDST,
  isInLast: (date, amount = 0, unit = 'minutes') => {
    const moment = toMoment(date);
    return DateTime.now().minus(readDuration([amount, unit])) <= moment && moment <= DateTime.now();
  },
  isWeekend: (date) => toMoment(date).weekday > 5,
  diffTo: computeDifference,
  diffToNow: (date, units) => computeDifference(date, DateTime.now(), units),
};
