import type { MethodsByName } from './extension';
import { readMoment } from './texts';

/** What the methods use of luxon's DateTime. */
export interface DateTimeValue {
  readonly isLuxonDateTime?: true;
  readonly weekday: number;
  readonly isInDST: boolean;
  plus(duration: object): DateTimeValue;
  minus(duration: object): DateTimeValue;
  startOf(unit: string): DateTimeValue;
  endOf(unit: string): DateTimeValue;
  get(unit: string): number;
  toFormat(format: string): string;
  toMillis(): number;
  toJSDate(): Date;
  diff(other: DateTimeValue, units?: unknown): { as(unit: string): number; toObject(): Record<string, number> };
  weekNumber: number;
}
declare const DateTime: { fromJSDate(date: Date): DateTimeValue; now(): DateTimeValue };

const UNITS: Readonly<Record<string, string>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  m: 'minute',
  s: 'second',
  ms: 'millisecond',
};

const singular = (unit: unknown): string => {
  const text = String(unit);
  return UNITS[text] ?? text.toLowerCase().replace(/s$/, '');
};
const amountOf = (amount: unknown, unit: unknown): object =>
  typeof amount === 'object' && amount !== null ? amount : { [`${singular(unit ?? 'milliseconds')}s`]: Number(amount) };
const isMoment = (value: unknown): value is DateTimeValue =>
  typeof (value as Partial<DateTimeValue> | null)?.toMillis === 'function';
const asMoment = (value: unknown): DateTimeValue => {
  if (isMoment(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  return readMoment(String(value)) as DateTimeValue;
};

function difference(one: DateTimeValue, other: unknown, units: unknown = 'days'): unknown {
  const names = [units].flat().map((unit) => `${singular(unit)}s`);
  const found = one.diff(asMoment(other), names);
  return names.length === 1 && names[0] ? found.as(names[0]) : found.toObject();
}

export const DATE_EXTENSIONS: MethodsByName<DateTimeValue> = {
  isEmpty: () => false,
  isNotEmpty: () => true,
  toDateTime: (value) => value,
  toDate: (value) => value.toJSDate(),
  plus: (value, amount, unit) => value.plus(amountOf(amount, unit)),
  minus: (value, amount, unit) => value.minus(amountOf(amount, unit)),
  beginningOf: (value, unit = 'week') => value.startOf(singular(unit)),
  endOfMonth: (value) => value.endOf('month'),
  extract: (value, unit = 'week') => {
    const part = String(unit);
    if (part === 'yearDayNumber') return value.get('ordinal');
    return part === 'week' ? value.weekNumber : value.get(UNITS[part] ?? part);
  },
  format: (value, format = 'yyyy-MM-dd') => value.toFormat(String(format)),
  isBetween: (value, one, other) => {
    const ends = [asMoment(one), asMoment(other)].map((end) => end.toMillis()).toSorted((a, b) => a - b);
    return value.toMillis() > (ends[0] ?? 0) && value.toMillis() < (ends[1] ?? 0);
  },
  isDst: (value) => value.isInDST,
  isInLast: (value, amount = 0, unit = 'minutes') => {
    const now = DateTime.now();
    return value.toMillis() >= now.minus(amountOf(amount, unit)).toMillis() && value.toMillis() <= now.toMillis();
  },
  isWeekend: (value) => value.weekday > 5,
  diffTo: (value, other, units) => difference(value, other, units),
  diffToNow: (value, units) => difference(value, DateTime.now(), units),
};
