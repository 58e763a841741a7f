import type { LuxonDate, LuxonDateTime } from './luxon-date';

/** A global of the sandbox. */
declare const DateTime: LuxonDateTime;

const INVALID = Symbol('invalid');

/** What stands for a value that cannot be converted. */
export type MismatchedValue = typeof INVALID;
export const isInvalid = (value: unknown): value is MismatchedValue => value === INVALID;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return INVALID;
  }
}

const toNumber = (value: unknown) => {
  const number = Number(value);
  return Number.isNaN(number) ? INVALID : number;
};

function toBoolean(value: unknown) {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  if (text === 'true' || text === 'false') return text === 'true';
  if (typeof value === 'string' && value.trim() === '') return INVALID;
  const number = Number(value);
  return number === 0 || number === 1 ? number === 1 : INVALID;
}

function toList(value: unknown) {
  if (Array.isArray(value)) return value as unknown[];
  const found = parse(String(value));
  const list = isInvalid(found) ? parse(String(value).replaceAll("'", '"')) : found;
  return Array.isArray(list) ? (list as unknown[]) : INVALID;
}

function toObject(value: unknown) {
  if (isRecord(value)) return value;
  const found = parse(String(value));
  const object = isInvalid(found) ? parseLooseObject(String(value)) : found;
  return typeof object === 'object' && !Array.isArray(object) ? object : INVALID;
}

/** Reads an object as JavaScript writes it, with names without quotes and texts in single quotes. */
function parseLooseObject(text: string): unknown {
  const quoted = text
    .replace(/'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => JSON.stringify(inner.replaceAll("\\'", "'")))
    .replace(/([{,]\s*)([A-Za-z_$][\w$]*)\s*:/g, '$1"$2":')
    .replace(/,(\s*[}\]])/g, '$1');
  return parse(quoted);
}

/** A date from the forms that n8n reads. */
export function toDateTime(value: unknown): LuxonDate | MismatchedValue {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value);
  const text = String(value).trim();
  const options = { setZone: true };
  for (const read of [DateTime.fromISO, DateTime.fromHTTP, DateTime.fromRFC2822, DateTime.fromSQL]) {
    const found = read.call(DateTime, text, options);
    if (found.isValid) return found;
  }
  const found = DateTime.fromMillis(Date.parse(text));
  return found.isValid ? found : INVALID;
}

const CONVERTERS: Record<string, (value: unknown) => unknown> = {
  number: toNumber,
  boolean: toBoolean,
  array: toList,
  object: toObject,
  dateTime: toDateTime,
};

/** A value as one of a type of n8n. Other types leave it as it is. */
export const toFieldType = (type: string, value: unknown): unknown => {
  const convert = CONVERTERS[type];
  return convert ? convert(value) : value;
};

/** How messages name a value. */
export function describeValue(value: unknown): string {
  if (value === null) return "'null'";
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : `'${String(value)}'`;
}
