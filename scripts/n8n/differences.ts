import { isDeepStrictEqual } from 'node:util';

/** Where two values differ first, as a path such as `[1].price`; undefined: they are equal. */
export function findDifference(expected: unknown, given: unknown, path = ''): string | undefined {
  if (isDeepStrictEqual(expected, given)) return undefined;
  if (Array.isArray(expected) && Array.isArray(given)) {
    if (expected.length !== given.length) return `${path}.length: ${expected.length}, not ${given.length}`;
    return firstFound(expected.keys(), (index) => findDifference(expected[index], given[index], `${path}[${index}]`));
  }
  if (isObject(expected) && isObject(given)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(given)]);
    const found = firstFound(names, (name) => findDifference(expected[name], given[name], `${path}.${name}`));
    return found ?? `${path}: a field without a value`;
  }
  return `${path}: ${show(expected)}, not ${show(given)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

function firstFound<Value>(values: Iterable<Value>, find: (value: Value) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
