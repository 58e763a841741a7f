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
    return amount.entries.reduce((value, entry) => {
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
  return call('formatDate', 'string', time, quoted(text));
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

/** A part of a time, as a number; undefined: it is none. */
export const fieldOf = (time: Code, name: string): Code | undefined =>
  Object.hasOwn(FIELDS, name)
    ? call('number', 'number', call('formatDate', 'string', time, quoted(FIELDS[name] ?? '')))
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
  if (name === 'plus') return moved(time, '', parameters, code);
  if (name === 'minus') return moved(time, '-', parameters, code);
  if (name === 'toFormat' || name === 'format') return formatted(time, first);
  if (name === 'startOf' || name === 'endOf') {
    const unit = literalOf(first);
    if (typeof unit !== 'string' || second) throw new Unsupported('this unit of time');
    return call(name, 'time', time, quoted(unitOf(unit).slice(0, -1)));
  }
  if (name === 'toISODate') return call('formatDate', 'string', time, '"yyyy-MM-dd"');
  if (name === 'toMillis' || name === 'getTime' || name === 'valueOf') return call('toMillis', 'number', time);
  if (name === 'toSeconds') return composed(`$toMillis(${time.code}) / 1000`, 'number');
  if (['toISO', 'toISOString', 'toJSON', 'toUTC', 'toLocal', 'toJSDate'].includes(name)) return time;
  return undefined;
}
