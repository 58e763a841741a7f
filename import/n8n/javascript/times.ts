import { atomicCode, jsonataCall, composedCode, operandCode, jsonataString, type JsonataCode } from './code';
import { UnsupportedSyntaxError, type ExpressionSyntax } from './syntax';

const NOW_TIME_CODE = atomicCode('$now()', 'time');
const LUXON_UNITS = new Set(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']);

export const currentTimeCode = (): JsonataCode => NOW_TIME_CODE;
export const currentDayCode = (): JsonataCode => jsonataCall('startOf', 'time', NOW_TIME_CODE, '"day"');

/** The unit of an amount of time, in plural. */
function pluralTimeUnit(name: string): string {
  const one = name.toLowerCase().replace(/s$/, '');
  if (!LUXON_UNITS.has(one)) throw new UnsupportedSyntaxError(`the unit ${name.slice(0, 20)}`);
  return `${one}s`;
}

const literalValue = (syntax: ExpressionSyntax | undefined) => (syntax?.kind === 'literal' ? syntax.value : undefined);

/** `plus` and `minus`: `(1, 'days')` or `({ days: 1 })`. */
function shiftTimeCode(
  time: JsonataCode,
  sign: '' | '-',
  parameters: readonly ExpressionSyntax[],
  code: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode {
  const [amount, unit] = parameters;
  if (amount?.kind === 'object') {
    return amount.entries.reduce((value: JsonataCode, entry): JsonataCode => {
      const name = 'key' in entry ? literalValue(entry.key) : undefined;
      if (!('key' in entry) || typeof name !== 'string') throw new UnsupportedSyntaxError('this amount of time');
      return jsonataCall(
        'addTime',
        'time',
        value,
        signedAmountCode(sign, code(entry.value)),
        jsonataString(pluralTimeUnit(name)),
      );
    }, time);
  }
  const name = literalValue(unit) ?? 'milliseconds';
  if (!amount || typeof name !== 'string') throw new UnsupportedSyntaxError('this amount of time');
  return jsonataCall(
    'addTime',
    'time',
    time,
    signedAmountCode(sign, code(amount)),
    jsonataString(pluralTimeUnit(name)),
  );
}

const signedAmountCode = (sign: '' | '-', value: JsonataCode): JsonataCode =>
  sign === '' ? value : composedCode(`-${operandCode(value)}`, 'number');

/** Patterns of Luxon that Weft writes in another way, or not at all. */
const FOREIGN_DATE_TOKENS = /[ZzWonqT]|D{1,4}|f{1,4}(?![^'])/;

/** A date by a pattern. */
function formatTimeCode(time: JsonataCode, pattern: ExpressionSyntax | undefined): JsonataCode {
  const text = literalValue(pattern);
  if (typeof text !== 'string' || FOREIGN_DATE_TOKENS.test(text.replaceAll(/'[^']*'/g, ''))) {
    throw new UnsupportedSyntaxError('this pattern of a date');
  }
  return callInTimeZone('formatDate', time, jsonataString(text));
}

/** The time zone of a time is the last parameter of what reads it. */
const callInTimeZone = (name: string, { zone, ...time }: JsonataCode, ...parameters: string[]): JsonataCode =>
  jsonataCall(name, 'string', time, ...parameters, ...(zone === undefined ? [] : [zone]));

/** Luxon's formats by name, in its language English (US). */
const LUXON_FORMATS: Readonly<Record<string, string>> = {
  DATE_SHORT: 'M/d/yyyy',
  DATE_MED: 'MMM d, yyyy',
  DATE_FULL: 'MMMM d, yyyy',
  DATE_HUGE: 'EEEE, MMMM d, yyyy',
  TIME_SIMPLE: 'h:mm a',
  TIME_WITH_SECONDS: 'h:mm:ss a',
  TIME_24_SIMPLE: 'HH:mm',
  TIME_24_WITH_SECONDS: 'HH:mm:ss',
  DATETIME_SHORT: 'M/d/yyyy, h:mm a',
  DATETIME_MED: 'MMM d, yyyy, h:mm a',
};

/** `toLocaleString(DateTime.DATE_FULL)`. */
function namedFormatCode(time: JsonataCode, format: ExpressionSyntax | undefined): JsonataCode {
  const name =
    format?.kind === 'member' && format.object.kind === 'name' && format.object.name === 'DateTime'
      ? String(literalValue(format.key))
      : 'DATE_SHORT';
  const pattern = Object.hasOwn(LUXON_FORMATS, name) ? LUXON_FORMATS[name] : undefined;
  if (pattern === undefined || (format && name === 'DATE_SHORT' && format.kind !== 'member')) {
    throw new UnsupportedSyntaxError('this format of a date');
  }
  return callInTimeZone('formatDate', time, jsonataString(pattern));
}

/** `end.diff(start, 'days').days`, also with `as('days')`; undefined: it is none of them. */
export function timeDifferenceCode(
  object: ExpressionSyntax,
  unit: string,
  code: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode | undefined {
  if (object.kind !== 'call' || object.callee.kind !== 'member' || literalValue(object.callee.key) !== 'diff')
    return undefined;
  const [start] = object.parameters;
  if (!start) return undefined;
  return jsonataCall(
    'diffTime',
    'number',
    code(start),
    code(object.callee.object),
    jsonataString(pluralTimeUnit(unit)),
  );
}

const TIME_FIELD_PATTERNS: Readonly<Record<string, string>> = {
  year: 'yyyy',
  month: 'M',
  day: 'd',
  hour: 'H',
  minute: 'm',
  second: 's',
  weekday: 'i',
};

/** Methods of JavaScript's dates by their patterns, and what the numbers differ by. */
const DATE_METHOD_PATTERNS: Readonly<Record<string, readonly [pattern: string, difference: string]>> = {
  getFullYear: ['yyyy', ''],
  getMonth: ['M', ' - 1'],
  getDate: ['d', ''],
  getHours: ['H', ''],
  getMinutes: ['m', ''],
  getSeconds: ['s', ''],
  getDay: ['i', ' % 7'],
};

/** A part of a time, as a number; undefined: it is none. */
export const timeFieldCode = (time: JsonataCode, name: string): JsonataCode | undefined =>
  Object.hasOwn(TIME_FIELD_PATTERNS, name)
    ? jsonataCall(
        'number',
        'number',
        callInTimeZone('formatDate', time, jsonataString(TIME_FIELD_PATTERNS[name] ?? '')),
      )
    : name === 'ts'
      ? jsonataCall('toMillis', 'number', time)
      : undefined;

/** Methods of times; undefined: it is none of them. */
export function timeMethodCode(
  time: JsonataCode,
  name: string,
  parameters: readonly ExpressionSyntax[],
  code: (syntax: ExpressionSyntax) => JsonataCode,
): JsonataCode | undefined {
  const [first, second] = parameters;
  const { zone } = time;
  if (name === 'plus') return { ...shiftTimeCode(time, '', parameters, code), zone };
  if (name === 'minus') return { ...shiftTimeCode(time, '-', parameters, code), zone };
  if (name === 'toFormat' || name === 'format') return formatTimeCode(time, first);
  if (name === 'startOf' || name === 'endOf') {
    const unit = literalValue(first);
    if (typeof unit !== 'string' || second) throw new UnsupportedSyntaxError('this unit of time');
    return {
      ...callInTimeZone(name, time, jsonataString(pluralTimeUnit(unit).slice(0, -1))),
      type: 'time',
      zone: time.zone,
    };
  }
  if (name === 'setZone') {
    const wanted = literalValue(first);
    if (typeof wanted !== 'string' || !/^[A-Za-z_]+(?:\/[A-Za-z_+\-\d]+)*$/.test(wanted))
      throw new UnsupportedSyntaxError('this time zone');
    return { ...time, zone: jsonataString(wanted) };
  }
  if (name === 'toLocaleString') return namedFormatCode(time, first);
  const [pattern, difference = ''] = Object.hasOwn(DATE_METHOD_PATTERNS, name)
    ? (DATE_METHOD_PATTERNS[name] ?? [])
    : [];
  if (pattern !== undefined) {
    const number = jsonataCall('number', 'number', callInTimeZone('formatDate', time, jsonataString(pattern)));
    return difference === '' ? number : composedCode(`${number.code}${difference}`, 'number');
  }
  if (name === 'toISODate') return callInTimeZone('formatDate', time, '"yyyy-MM-dd"');
  if (name === 'toISOTime') return callInTimeZone('formatDate', time, '"HH:mm:ss.SSSXXX"');
  if (name === 'toUnixInteger') return composedCode(`$floor($toMillis(${time.code}) / 1000)`, 'number');
  if (name === 'toMillis' || name === 'getTime' || name === 'valueOf') return jsonataCall('toMillis', 'number', time);
  if (name === 'toSeconds') return composedCode(`$toMillis(${time.code}) / 1000`, 'number');
  if (['toISO', 'toISOString', 'toJSON', 'toUTC', 'toLocal', 'toJSDate'].includes(name)) return time;
  return undefined;
}
