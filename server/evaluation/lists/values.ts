import { isLargeInteger } from '@/contract/exact-json';

/** Counts one unit of work. Throws when a limit is exceeded. */
export type CountWork = () => void;

/**
 * The value at a path of dot-separated names in an item, such as `customer.name` or `tags.0`; undefined: there is none.
 */
export function itemFieldValue(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export const isMissingValue = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Alphabetical order in which case decides last, the same on every machine. */
const TEXT_COLLATOR = new Intl.Collator('en');
const TYPE_ORDER = ['number', 'string', 'boolean', 'object'];

/**
 * The order of two values: numbers, texts, booleans, then lists and objects (which are equal). Missing values are last.
 * Values of one list go through `orderableValues` first.
 */
export function compareListValues(one: unknown, other: unknown): number {
  if (isMissingValue(one) || isMissingValue(other)) return Number(isMissingValue(one)) - Number(isMissingValue(other));
  const [type, otherType] = [comparableType(one), comparableType(other)];
  if (type !== otherType) return TYPE_ORDER.indexOf(type) - TYPE_ORDER.indexOf(otherType);
  if (typeof one === 'string') return TEXT_COLLATOR.compare(one, other as string);
  return type === 'object' ? 0 : compareNumbers(one as number, other as number);
}

const comparableType = (value: unknown) => (typeof value === 'bigint' ? 'number' : typeof value);

/** The order of two numbers of any kind, or of two booleans, by their values. */
const compareNumbers = (one: number | bigint, other: number | bigint): number =>
  one < other ? -1 : one > other ? 1 : 0;

/**
 * The values of a list for `compareListValues`: among numbers, an integer that is kept as its digits counts as the
 * number that it is; among texts it is a text.
 */
export function orderableValues(values: readonly unknown[]): readonly unknown[] {
  if (!values.some(isLargeInteger)) return values;
  const isNumeric =
    values.some((value) => typeof value === 'number') ||
    values.every((value) => isMissingValue(value) || isLargeInteger(value));
  return isNumeric ? values.map((value) => (isLargeInteger(value) ? BigInt(value) : value)) : values;
}

/** Whether two values are numbers, or integers that are kept as their digits; then their order. */
export function numericOrder(one: unknown, other: unknown): number | undefined {
  if (isLargeInteger(one)) {
    if (!isLargeInteger(other) && typeof other !== 'number') return undefined;
    return compareNumbers(BigInt(one), typeof other === 'number' ? other : BigInt(other));
  }
  if (typeof one !== 'number') return undefined;
  if (isLargeInteger(other)) return compareNumbers(one, BigInt(other));
  return typeof other === 'number' ? compareNumbers(one, other) : undefined;
}

/**
 * JSON that is equal for equal values: the order of an object's fields does not count, and integers count by their
 * value.
 */
export function serializeEqualityKey(value: unknown, step: CountWork): string {
  step();
  if (isLargeInteger(value)) return serializeLargeInteger(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => serializeEqualityKey(item, step)).join()}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${serializeEqualityKey(inner, step)}`).join()}}`;
}

/** The key of an integer that is kept as its digits: that of the number with the same value, if there is one. */
const serializeLargeInteger = (digits: string): string => {
  const number = Number(digits);
  return Number.isFinite(number) && BigInt(number) === BigInt(digits) ? JSON.stringify(number) : digits;
};
