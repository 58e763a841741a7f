import type { MethodsByName } from './extension';

declare const DateTime: { fromMillis(ms: number): unknown; fromSeconds(seconds: number): unknown };

function toMoment(value: number, unit: unknown = 'ms'): unknown {
  if (unit === 's') return DateTime.fromSeconds(value);
  if (unit === 'us') return DateTime.fromMillis(value / 1000);
  if (unit === 'excel') return DateTime.fromMillis(Math.round((value - 25_569) * 86_400_000));
  return DateTime.fromMillis(value);
}

export const NUMBER_EXTENSIONS: MethodsByName<number> = {
  isEmpty: (value) => value === 0,
  isNotEmpty: (value) => value !== 0,
  isEven: (value) => {
    if (!Number.isInteger(value)) throw new TypeError('The number is not an integer');
    return value % 2 === 0;
  },
  isOdd: (value) => {
    if (!Number.isInteger(value)) throw new TypeError('The number is not an integer');
    return Math.abs(value % 2) === 1;
  },
  isInteger: (value) => Number.isInteger(value),
  abs: (value) => Math.abs(value),
  floor: (value) => Math.floor(value),
  ceil: (value) => Math.ceil(value),
  round: (value, places = 0) => Number(value.toFixed(Number(places))),
  format: (value, locale = 'en-US', options) =>
    new Intl.NumberFormat(String(locale), options as Intl.NumberFormatOptions).format(value),
  toBoolean: (value) => value !== 0,
  toNumber: (value) => value,
  toInt: (value) => Math.trunc(value),
  toFloat: (value) => value,
  toDateTime: (value, unit) => toMoment(value, unit),
};

export const BOOLEAN_EXTENSIONS: MethodsByName<boolean> = {
  isEmpty: () => false,
  isNotEmpty: () => true,
  toBoolean: (value) => value,
  toNumber: (value) => Number(value),
  toInt: (value) => Number(value),
  toFloat: (value) => Number(value),
};
