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

/** The order of two values: numbers, texts, booleans, then lists and objects (which are equal). Missing values are last. */
export function compare(one: unknown, other: unknown): number {
  if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other));
  if (typeof one !== typeof other) return TYPES.indexOf(typeof one) - TYPES.indexOf(typeof other);
  if (typeof one === 'string') return TEXTS.compare(one, other as string);
  return typeof one === 'object' ? 0 : Number(one) - Number(other);
}

/** JSON that is equal for equal values: the order of an object's fields does not count. */
export function keyOf(value: unknown, step: Step): string {
  step();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => keyOf(item, step)).join()}]`;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${keyOf(inner, step)}`).join()}}`;
}
