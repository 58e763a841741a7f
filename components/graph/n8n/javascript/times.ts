import { atom, call, composed, part, quoted, type Code } from './code';
import { Unsupported, type Syntax } from './syntax';

const NOW = atom('$now()', 'time');
const UNITS = new Set(['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']);

export const now = (): Code => NOW;
export const today = (): Code => call('startOf', 'time', NOW, '"day"');

/** The unit of an amount of time, in plural. */
function unitOf(name: string): string {
  const one = name.toLowerCase().replace(/s$/, '');
  if (!UNITS.has(one)) throw new Unsupported(`the unit ${name.slice(0, 20)}`);
  return `${one}s`;
}

const literalOf = (syntax: Syntax | undefined) => (syntax?.kind === 'literal' ? syntax.value : undefined);

/** `plus` and `minus`: `(1, 'days')` or `({ days: 1 })`. */
function moved(time: Code, sign: '' | '-', parameters: readonly Syntax[], code: (syntax: Syntax) => Code): Code {
  const [amount, unit] = parameters;
  if (amount?.kind === 'object') {
    return amount.entries.reduce((value: Code, entry): Code => {
      const name = 'key' in entry ? literalOf(entry.key) : undefined;
      if (!('key' in entry) || typeof name !== 'string') throw new Unsupported('this amount of time');
      return call('addTime', 'time', value, signed(sign, code(entry.value)), quoted(unitOf(name)));
    }, time);
  }
  const name = literalOf(unit) ?? 'milliseconds';
  if (!amount || typeof name !== 'string') throw new Unsupported('this amount of time');
  return call('addTime', 'time', time, signed(sign, code(amount)), quoted(unitOf(name)));
}

const signed = (sign: '' | '-', value: Code): Code => (sign === '' ? value : composed(`-${part(value)}`, 'number'));

/** Patterns of Luxon that Weft writes in another way, or not at all. */
const FOREIGN = /[ZzWonqT]|D{1,4}|f{1,4}(?![^'])/;

/** A date by a pattern. */
function formatted(time: Code, pattern: Syntax | undefined): Code {
  const text = literalOf(pattern);
  if (typeof text !== 'string' || FOREIGN.test(text.replaceAll(/'[^']*'/g, ''))) {
    throw new Unsupported('this pattern of a date');
  }
  return inZone('formatDate', time, quoted(text));
}

/** The time zone of a time is the last parameter of what reads it. */
const inZone = (name: string, { zone, ...time }: Code, ...parameters: string[]): Code =>
  call(name, 'string', time, ...parameters, ...(zone === undefined ? [] : [zone]));

/** Luxon's formats by name, in its language English (US). */
const FORMATS: Readonly<Record<string, string>> = {
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
function named(time: Code, format: Syntax | undefined): Code {
  const name =
    format?.kind === 'member' && format.object.kind === 'name' && format.object.name === 'DateTime'
      ? String(literalOf(format.key))
      : 'DATE_SHORT';
  const pattern = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (pattern === undefined || (format && name === 'DATE_SHORT' && format.kind !== 'member')) {
    throw new Unsupported('this format of a date');
  }
  return inZone('formatDate', time, quoted(pattern));
}

/** `end.diff(start, 'days').days`, also with `as('days')`; undefined: it is none of them. */
export function differenceOf(object: Syntax, unit: string, code: (syntax: Syntax) => Code): Code | undefined {
  if (object.kind !== 'call' || object.callee.kind !== 'member' || literalOf(object.callee.key) !== 'diff')
    return undefined;
  const [start] = object.parameters;
  if (!start) return undefined;
  return call('diffTime', 'number', code(start), code(object.callee.object), quoted(unitOf(unit)));
}

const FIELDS: Readonly<Record<string, string>> = {
  year: 'yyyy',
  month: 'M',
  day: 'd',
  hour: 'H',
  minute: 'm',
  second: 's',
  weekday: 'i',
};

/** Methods of JavaScript's dates by their patterns, and what the numbers differ by. */
const PARTS: Readonly<Record<string, readonly [pattern: string, difference: string]>> = {
  getFullYear: ['yyyy', ''],
  getMonth: ['M', ' - 1'],
  getDate: ['d', ''],
  getHours: ['H', ''],
  getMinutes: ['m', ''],
  getSeconds: ['s', ''],
  getDay: ['i', ' % 7'],
};

/** A part of a time, as a number; undefined: it is none. */
export const fieldOf = (time: Code, name: string): Code | undefined =>
  Object.hasOwn(FIELDS, name)
    ? call('number', 'number', inZone('formatDate', time, quoted(FIELDS[name] ?? '')))
    : name === 'ts'
      ? call('toMillis', 'number', time)
      : undefined;

/** Methods of times; undefined: it is none of them. */
export function timeMethod(
  time: Code,
  name: string,
  parameters: readonly Syntax[],
  code: (syntax: Syntax) => Code,
): Code | undefined {
  const [first, second] = parameters;
  const { zone } = time;
  if (name === 'plus') return { ...moved(time, '', parameters, code), zone };
  if (name === 'minus') return { ...moved(time, '-', parameters, code), zone };
  if (name === 'toFormat' || name === 'format') return formatted(time, first);
  if (name === 'startOf' || name === 'endOf') {
    const unit = literalOf(first);
    if (typeof unit !== 'string' || second) throw new Unsupported('this unit of time');
    return { ...inZone(name, time, quoted(unitOf(unit).slice(0, -1))), type: 'time', zone: time.zone };
  }
  if (name === 'setZone') {
    const wanted = literalOf(first);
    if (typeof wanted !== 'string' || !/^[A-Za-z_]+(?:\/[A-Za-z_+\-\d]+)*$/.test(wanted))
      throw new Unsupported('this time zone');
    return { ...time, zone: quoted(wanted) };
  }
  if (name === 'toLocaleString') return named(time, first);
  const [pattern, difference = ''] = Object.hasOwn(PARTS, name) ? (PARTS[name] ?? []) : [];
  if (pattern !== undefined) {
    const number = call('number', 'number', inZone('formatDate', time, quoted(pattern)));
    return difference === '' ? number : composed(`${number.code}${difference}`, 'number');
  }
  if (name === 'toISODate') return inZone('formatDate', time, '"yyyy-MM-dd"');
  if (name === 'toISOTime') return inZone('formatDate', time, '"HH:mm:ss.SSSXXX"');
  if (name === 'toUnixInteger') return composed(`$floor($toMillis(${time.code}) / 1000)`, 'number');
  if (name === 'toMillis' || name === 'getTime' || name === 'valueOf') return call('toMillis', 'number', time);
  if (name === 'toSeconds') return composed(`$toMillis(${time.code}) / 1000`, 'number');
  if (['toISO', 'toISOString', 'toJSON', 'toUTC', 'toLocal', 'toJSDate'].includes(name)) return time;
  return undefined;
}
