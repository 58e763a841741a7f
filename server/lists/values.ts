import { isLargeInteger } from '@/contract/exact-json';

/** Counts one unit of work. Throws when a limit is exceeded. */
export type Step = () => void;

/** The value at a path of dot-separated names in an item, such as `customer.name` or `tags.0`; undefined: there is none. */
export function fieldOf(item: unknown, path: string): unknown {
  let value = item;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null;

/** Alphabetical order in which case decides last, the same on every machine. */
const TEXTS = new Intl.Collator('en');
const TYPES = ['number', 'string', 'boolean', 'object'];

/**
 * The order of two values: numbers, texts, booleans, then lists and objects (which are equal). Missing values are last. Values of one list
 * go through `orderableValues` first.
 */
export function compare(one: unknown, other: unknown): number {
  if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other));
  const [type, otherType] = [typeOf(one), typeOf(other)];
  if (type !== otherType) return TYPES.indexOf(type) - TYPES.indexOf(otherType);
  if (typeof one === 'string') return TEXTS.compare(one, other as string);
  return type === 'object' ? 0 : orderOfNumbers(one as number, other as number);
}

const typeOf = (value: unknown) => (typeof value === 'bigint' ? 'number' : typeof value);

/** The order of two numbers of any kind, or of two booleans, by their values. */
const orderOfNumbers = (one: number | bigint, other: number | bigint): number =>
  one < other ? -1 : one > other ? 1 : 0;

/**
 * The values of a list for `compare`: among numbers, an integer that is kept as its digits counts as the number that it is; among texts
 * it is a text.
 */
export function orderableValues(values: readonly unknown[]): readonly unknown[] {
  if (!values.some(isLargeInteger)) return values;
  const isNumeric =
    values.some((value) => typeof value === 'number') ||
    values.every((value) => isMissing(value) || isLargeInteger(value));
  return isNumeric ? values.map((value) => (isLargeInteger(value) ? BigInt(value) : value)) : values;
}

/** Whether two values are numbers, or integers that are kept as their digits; then their order. */
export function numericOrder(one: unknown, other: unknown): number | undefined {
  if (isLargeInteger(one)) {
    if (!isLargeInteger(other) && typeof other !== 'number') return undefined;
    return orderOfNumbers(BigInt(one), typeof other === 'number' ? other : BigInt(other));
  }
  if (typeof one !== 'number') return undefined;
  if (isLargeInteger(other)) return orderOfNumbers(one, BigInt(other));
  return typeof other === 'number' ? orderOfNumbers(one, other) : undefined;
}

/** JSON that is equal for equal values: the order of an object's fields does not count, and integers count by their value. */
export function keyOf(value: unknown, step: Step): string {
  step();
  if (isLargeInteger(value)) return numberKey(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, step)).join()}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${keyOf(inner, step)}`).join()}}`;
}

/** The key of an integer that is kept as its digits: that of the number with the same value, if there is one. */
const numberKey = (digits: string): string => {
  const number = Number(digits);
  return Number.isFinite(number) && BigInt(number) === BigInt(digits) ? JSON.stringify(number) : digits;
};
