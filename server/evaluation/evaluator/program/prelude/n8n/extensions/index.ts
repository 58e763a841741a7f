import { DATE_EXTENSIONS, type DateTimeValue } from './dates';
import type { MethodsByName } from './extension';
import { LIST_EXTENSIONS, OBJECT_EXTENSIONS } from './lists';
import { BOOLEAN_EXTENSIONS, NUMBER_EXTENSIONS } from './numbers';
import { TEXT_EXTENSIONS } from './texts';

declare const DateTime: {
  fromJSDate(date: Date): DateTimeValue;
  isDateTime(value: unknown): value is DateTimeValue;
};

/** The methods that n8n adds to values of this type, and the value as they take it. */
function findExtensions(value: unknown): { extensions: MethodsByName<never>; subject: unknown } | undefined {
  const of = (extensions: object, subject: unknown = value) => ({
    extensions: extensions as MethodsByName<never>,
    subject,
  });
  if (typeof value === 'string') return of(TEXT_EXTENSIONS);
  if (typeof value === 'number') return of(NUMBER_EXTENSIONS);
  if (typeof value === 'boolean') return of(BOOLEAN_EXTENSIONS);
  if (Array.isArray(value)) return of(LIST_EXTENSIONS);
  if (DateTime.isDateTime(value)) return of(DATE_EXTENSIONS);
  if (value instanceof Date) return of(DATE_EXTENSIONS, DateTime.fromJSDate(value));
  const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? of(OBJECT_EXTENSIONS) : undefined;
}

/** Calls a method, or the extension of n8n that has its name. `isOptional`: no value gives no value. */
export function callExtension(value: unknown, name: string, isOptional: boolean, ...given: unknown[]): unknown {
  if (value === undefined || value === null) {
    if (isOptional) return undefined;
    if (name === 'isEmpty') return true;
    if (name === 'isNotEmpty') return false;
    throw new TypeError(`${name} of nothing`);
  }
  const own = (value as Record<string, unknown>)[name];
  const found = findExtensions(value);
  const extension = found && Object.hasOwn(found.extensions, name) ? found.extensions[name] : undefined;
  // A function in the data of an object is its own.
  if (found && extension && !Object.hasOwn(value as object, name)) {
    const result = extension(found.subject as never, ...given);
    // What is computed of a date of JavaScript is one as well.
    const isDate = value instanceof Date && name !== 'toDateTime' && DateTime.isDateTime(result);
    return isDate ? result.toJSDate() : result;
  }
  if (typeof own === 'function') return (own as (...values: unknown[]) => unknown).apply(value, given);
  throw new TypeError(`${name} is not a function`);
}
