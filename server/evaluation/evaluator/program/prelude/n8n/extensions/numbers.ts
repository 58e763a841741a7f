import { refuseCall, type MethodsByName } from './extension';

declare const DateTime: { fromMillis(ms: number): unknown; fromSeconds(seconds: number): unknown };

const SECONDS_PER_DAY = 86_400;
/** The day of a workbook that is 1 January 1970. */
const WORKBOOK_DAY = 25_569;

const MOMENT_UNITS: Readonly<Record<string, (amount: number) => unknown>> = {
  ms: (amount) => DateTime.fromMillis(amount),
  s: (amount) => DateTime.fromSeconds(amount),
  us: (amount) => DateTime.fromMillis(amount / 1000),
  excel: (amount) => DateTime.fromSeconds((amount - WORKBOOK_DAY) * SECONDS_PER_DAY),
};

/** Whether a text is a unit in which a moment may be given as a number. */
export const isMomentUnit = (unit: unknown): boolean => Object.hasOwn(MOMENT_UNITS, String(unit));

/** A moment from a number in a unit: `ms`, `s`, `us`, `excel`. */
export function readMomentNumber(amount: number, unit: unknown = 'ms'): unknown {
  const read = isMomentUnit(unit) ? MOMENT_UNITS[String(unit)] : undefined;
  return (
    read?.(amount) ??
    refuseCall(`Unsupported format '${String(unit)}'. toDateTime() supports 'ms', 's', 'us' and 'excel'.`)
  );
}

const requireInteger = (value: number, name: string): number =>
  Number.isInteger(value) ? value : refuseCall(`${name}() is only callable on integers`);

const round = (value: number, places: unknown = 0): number => Number(value.toFixed(places as number));

/** A number as a language writes it; as JavaScript does if there is no such language. */
function format(value: number, locale: unknown = 'en-US', options: unknown = {}): string {
  try {
    return new Intl.NumberFormat(locale as string, options as Intl.NumberFormatOptions).format(value);
  } catch {
    return String(value);
  }
}

export const NUMBER_EXTENSIONS: MethodsByName<number> = {
  isEven: (value) => requireInteger(value, 'isEven') % 2 === 0,
  isOdd: (value) => Math.abs(requireInteger(value, 'isOdd')) % 2 === 1,
  isInteger: (value) => Number.isInteger(value),
  abs: (value) => Math.abs(value),
  floor: (value) => Math.floor(value),
  ceil: (value) => Math.ceil(value),
  round,
  format,
  toBoolean: (value) => value !== 0,
  toInt: (value) => round(value),
  toFloat: (value) => value,
  toDateTime: readMomentNumber,
};

export const BOOLEAN_EXTENSIONS: MethodsByName<boolean> = {
  toBoolean: (value) => value,
  toNumber: Number,
  toInt: Number,
  toFloat: Number,
  toDateTime: () => undefined,
};
