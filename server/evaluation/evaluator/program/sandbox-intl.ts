/*
 * Intl inside the sandbox, whose engine has none: each call is answered by that of this process. Only texts pass, and their sizes are limited.
 */

/** Limits of one call, in characters of JSON and in elements of a list. */
const MAX_CALL_CHARACTERS = 64 * 1024;
/** Formatters are kept, because making one takes much longer than using it. */
const MAX_KEPT_FORMATTERS = 100;

/** The methods of each class that take values; each class has `resolvedOptions` as well. */
const INTL_METHODS = {
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'formatRangeToParts'],
  Collator: ['compare'],
  PluralRules: ['select', 'selectRange'],
  RelativeTimeFormat: ['format', 'formatToParts'],
  ListFormat: ['format', 'formatToParts'],
} as const;
type IntlClassName = keyof typeof INTL_METHODS;

const isIntlClassName = (name: string): name is IntlClassName => Object.hasOwn(INTL_METHODS, name);

/** A value as it passes: numbers that JSON has not, and bigints, are marked. */
type PassedValue = string | number | boolean | null | PassedValue[] | { number: string } | { bigint: string };

function readPassedValue(value: PassedValue | undefined): unknown {
  if (Array.isArray(value)) return value.map(readPassedValue);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  return 'bigint' in value ? BigInt(value.bigint) : Number(value.number);
}

interface IntlCall {
  class: string;
  method: string;
  locales: string[] | undefined;
  options: Record<string, PassedValue>;
  values: PassedValue[];
}

type Formatter = Record<string, (...values: unknown[]) => unknown>;
const keptFormatters = new Map<string, Formatter>();

function provideFormatter(
  { class: className, locales, options }: IntlCall & { class: IntlClassName },
  timeZone: string,
): Formatter {
  const isZoned = className === 'DateTimeFormat' && options['timeZone'] === undefined;
  const chosen = isZoned ? { ...options, timeZone } : options;
  const key = JSON.stringify([className, locales, chosen]);
  const kept = keptFormatters.get(key);
  if (kept) return kept;
  const IntlClass = Intl[className] as unknown as new (locales?: string[], options?: object) => Formatter;
  const made = new IntlClass(locales, chosen);
  if (keptFormatters.size >= MAX_KEPT_FORMATTERS) keptFormatters.clear();
  keptFormatters.set(key, made);
  return made;
}

/** Functions without an object, and the methods of texts that depend on the language. */
const INTL_FUNCTIONS: Record<string, (call: IntlCall) => unknown> = {
  getCanonicalLocales: ({ locales }) => Intl.getCanonicalLocales(locales),
  supportedValuesOf: ({ values: [key] }) => Intl.supportedValuesOf(String(key) as 'timeZone'),
  toLocaleUpperCase: ({ values: [text], locales }) => String(text).toLocaleUpperCase(locales),
  toLocaleLowerCase: ({ values: [text], locales }) => String(text).toLocaleLowerCase(locales),
};

/** Answers a call; both are JSON. Throws RangeError and TypeError, as Intl does. */
export function callIntl(json: string, timeZone: string): string {
  if (json.length > MAX_CALL_CHARACTERS)
    throw new RangeError(`A value for Intl has more than ${MAX_CALL_CHARACTERS} characters`);
  const call = JSON.parse(json) as IntlCall;
  const { class: className, method, values } = call;
  return JSON.stringify(computeIntl(call, className, method, values.map(readPassedValue), timeZone)) ?? 'null';
}

function computeIntl(call: IntlCall, className: string, method: string, values: unknown[], timeZone: string): unknown {
  const own = Object.hasOwn(INTL_FUNCTIONS, method) ? INTL_FUNCTIONS[method] : undefined;
  if (className === '') return own?.(call);
  if (!isIntlClassName(className)) throw new TypeError(`Intl.${className} is not available`);
  if (method === 'supportedLocalesOf') {
    const { supportedLocalesOf } = Intl[className] as { supportedLocalesOf(locales?: string[]): string[] };
    return supportedLocalesOf(call.locales);
  }
  const formatter = provideFormatter({ ...call, class: className }, timeZone);
  const isKnown = method === 'resolvedOptions' || INTL_METHODS[className].some((one) => one === method);
  if (!isKnown) throw new TypeError(`${method} is not available`);
  return formatter[method]?.(...values);
}

/** Defines Intl and the methods that depend on it, where `__intl` is `callIntl`. */
export const INTL_SOURCE = `(() => {
  'use strict';
  const send = __intl;
  delete globalThis.__intl;
  const { parse, stringify } = JSON;
  const pass = (value) => {
    if (typeof value === 'bigint') return { bigint: String(value) };
    if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : { number: Object.is(value, -0) ? '-0' : String(value) };
    if (typeof value === 'boolean' || value === null) return value;
    return String(value);
  };
  const readLocales = (locales) => locales === undefined ? undefined : (typeof locales === 'string' ? [locales] : Array.from(locales, String));
  const readOptions = (options) => {
    if (options === undefined) return {};
    if (options === null) throw new TypeError('The options are null');
    const given = {};
    for (const name in options) if (options[name] !== undefined) given[name] = pass(options[name]);
    return given;
  };
  const call = (name, method, locales, options, values) => {
    try { return parse(send(stringify({ class: name, method, locales, options, values }))); }
    catch (error) { throw new (error?.name === 'RangeError' ? RangeError : TypeError)(error?.message ?? 'Intl failed'); }
  };
  const define = (owner, name, value) => Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
  const toTime = (date) => pass(date === undefined ? Date.now() : Number(date));
  const toNumber = (value) => pass(typeof value === 'bigint' || typeof value === 'string' ? value : Number(value));
  const readers = {
    DateTimeFormat: (values) => (values.length === 0 ? [undefined] : values).map(toTime),
    NumberFormat: (values) => values.map(toNumber),
    Collator: (values) => values.map(String),
    PluralRules: (values) => values.map((value) => pass(Number(value))),
    RelativeTimeFormat: ([value, unit]) => [pass(Number(value)), String(unit)],
    ListFormat: ([list]) => [Array.from(list ?? [], (one) => { if (typeof one !== 'string') throw new TypeError('A list has texts only'); return one; })],
  };
  const Intl = {};
  define(globalThis, 'Intl', Intl);
  Object.defineProperty(Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
  const methods = ${JSON.stringify(INTL_METHODS)};
  const bound = { DateTimeFormat: 'format', NumberFormat: 'format', Collator: 'compare' };
  for (const name of Object.keys(methods)) {
    const parts = new WeakMap();
    const read = (self) => parts.get(self) ?? (() => { throw new TypeError('The object is no Intl.' + name); })();
    const invoke = (self, method, values) => { const { locales, options } = read(self); return call(name, method, locales, options, values); };
    const IntlClass = { [name]: function (locales, options) {
      const self = new.target ? this : Object.create(IntlClass.prototype);
      const own = { locales: readLocales(locales), options: readOptions(options) };
      parts.set(self, own);
      own.resolved = call(name, 'resolvedOptions', own.locales, own.options, []);
      return self;
    } }[name];
    define(Intl, name, IntlClass);
    define(IntlClass, 'supportedLocalesOf', (locales) => call(name, 'supportedLocalesOf', readLocales(locales), {}, []));
    define(IntlClass.prototype, 'resolvedOptions', function () { return { ...read(this).resolved }; });
    for (const method of methods[name]) {
      const run = (self, values) => {
        const answer = invoke(self, method, readers[name](values));
        return answer;
      };
      if (bound[name] === method) {
        Object.defineProperty(IntlClass.prototype, method, { configurable: true, get() { const own = read(this); return (own.bound ??= (...values) => run(this, values)); } });
      } else define(IntlClass.prototype, method, function (...values) { return run(this, values); });
    }
    Object.defineProperty(IntlClass.prototype, Symbol.toStringTag, { value: 'Intl.' + name, configurable: true });
  }
  define(Intl, 'getCanonicalLocales', (locales) => call('', 'getCanonicalLocales', readLocales(locales), {}, []));
  define(Intl, 'supportedValuesOf', (key) => call('', 'supportedValuesOf', undefined, {}, [String(key)]));
  const { NumberFormat, DateTimeFormat, Collator } = Intl;
  const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' }, TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric' };
  const DATE_NAMES = ['weekday', 'year', 'month', 'day', 'dateStyle'], TIME_NAMES = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'timeStyle'];
  const writeDate = (names, standard) => ({ toLocaleString(locales, options) {
    const time = Date.prototype.getTime.call(this);
    if (time !== time) return 'Invalid Date';
    const isChosen = names.some((name) => options?.[name] !== undefined);
    return new DateTimeFormat(locales, isChosen ? options : { ...options, ...standard }).format(time);
  } }).toLocaleString;
  define(Date.prototype, 'toLocaleString', writeDate([...DATE_NAMES, ...TIME_NAMES], { ...DATE, ...TIME }));
  define(Date.prototype, 'toLocaleDateString', writeDate(DATE_NAMES, DATE));
  define(Date.prototype, 'toLocaleTimeString', writeDate(TIME_NAMES, TIME));
  const writeNumber = { toLocaleString(locales, options) { return new NumberFormat(locales, options).format(this.valueOf()); } }.toLocaleString;
  define(Number.prototype, 'toLocaleString', writeNumber);
  define(BigInt.prototype, 'toLocaleString', writeNumber);
  define(Array.prototype, 'toLocaleString', { toLocaleString(...given) {
    return Array.from(this, (one) => (one === undefined || one === null ? '' : String(one.toLocaleString(...given)))).join(',');
  } }.toLocaleString);
  define(String.prototype, 'localeCompare', { localeCompare(other, locales, options) { return new Collator(locales, options).compare(this, other); } }.localeCompare);
  for (const method of ['toLocaleUpperCase', 'toLocaleLowerCase'])
    define(String.prototype, method, { [method](locales) { return call('', method, readLocales(locales), {}, [String(this)]); } }[method]);
})()`;
