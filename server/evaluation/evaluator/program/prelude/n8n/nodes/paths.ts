type Fields = Record<string, unknown>;

const isContainer = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A part of a path between dots or in brackets, which may be quoted. */
const PATH_PART = /[^.[\]]+|\[(?:(-?\d+(?:\.\d+)?)|(["'])((?:(?!\2)[^\\]|\\.)*?)\2)\]|(?=(?:\.|\[\])(?:\.|\[\]|$))/g;

/** The keys of a path such as `a.b[0]["c d"]`. */
export function parsePath(path: string): string[] {
  const keys: string[] = path.startsWith('.') ? [''] : [];
  for (const [whole, index, quote, quoted] of path.matchAll(PATH_PART))
    keys.push(quote ? (quoted ?? '').replace(/\\(.)/g, '$1') : (index ?? whole).trim());
  return keys;
}

/** The keys that lead to a field: a field whose name is the whole path comes first. */
const keysTo = (owner: unknown, path: string, hasDots: boolean): string[] =>
  !hasDots || (isContainer(owner) && path in owner) || !/[.[\]]/.test(path) ? [path] : parsePath(path);

/** The value at a path; undefined: there is none. */
export function getField(owner: unknown, path: string, hasDots = true): unknown {
  let value = owner;
  for (const key of keysTo(owner, path, hasDots)) {
    if (value === null || value === undefined) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

/** Whether a path leads to a field, which may be undefined. */
export function hasField(owner: unknown, path: string, hasDots = true): boolean {
  let value = owner;
  for (const key of keysTo(owner, path, hasDots)) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

const RESERVED_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** Sets the value at a path; objects and lists on the way to it are made. */
export function assignField(owner: Fields, path: string, value: unknown, hasDots = true): void {
  const keys = keysTo(owner, path, hasDots);
  if (keys.some((key) => RESERVED_KEYS.has(key))) return;
  let place = owner;
  for (const [index, key] of keys.entries()) {
    if (index === keys.length - 1) {
      place[key] = value;
      return;
    }
    const found = place[key];
    const inner: Fields = isContainer(found)
      ? found
      : ((/^(?:0|[1-9]\d*)$/.test(keys[index + 1] ?? '') ? [] : {}) as Fields);
    place[key] = inner;
    place = inner;
  }
}

/** Removes the field at a path. */
export function unsetField(owner: Fields, path: string, hasDots = true): void {
  const keys = keysTo(owner, path, hasDots);
  const place = keys.slice(0, -1).reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), owner);
  if (isContainer(place)) delete place[keys.at(-1) ?? ''];
}

/** Whether two values are equal in all that JSON keeps of them. */
export function areEqual(one: unknown, other: unknown): boolean {
  if (one === other || (one !== one && other !== other)) return true;
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqual(one[name], other[name]))
  );
}

/** A copy that shares nothing with a value. */
export const copyValue = <Value>(value: Value): Value => {
  if (!isContainer(value)) return value;
  if (Array.isArray(value)) return value.map(copyValue) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyValue(one)])) as Value;
};

/** The names of a parameter: a text with commas, a list, or the rows of the first versions. */
export function listNames(given: unknown): string[] {
  const rows =
    typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Fields)['fields'] : given;
  const names = Array.isArray(rows)
    ? rows.map((row: unknown) => (isContainer(row) ? String(row['fieldName'] ?? '') : String(row)))
    : String(rows ?? '').split(',');
  return names.map((name) => name.trim()).filter((name) => name !== '');
}
