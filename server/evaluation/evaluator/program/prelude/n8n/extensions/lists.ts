import type { MethodsByName } from './extension';

const key = (value: unknown): string => JSON.stringify(value) ?? 'undefined';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withoutRepetitions(list: unknown[], names: unknown[]): unknown[] {
  const fields = names.flat().map(String);
  const seen = new Set<string>();
  return list.filter((one) => {
    const compared = fields.length > 0 && isObject(one) ? fields.map((name) => one[name]) : one;
    const text = key(compared);
    return !seen.has(text) && Boolean(seen.add(text));
  });
}

const numbers = (list: unknown[]): number[] =>
  list.map((one) => {
    const value = typeof one === 'string' ? Number(one) : one;
    if (typeof value !== 'number' || Number.isNaN(value))
      throw new TypeError('The list has something that is no number');
    return value;
  });
const sum = (list: unknown[]): number => numbers(list).reduce((total, one) => total + one, 0);
const isVoid = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === 'nil' || isEmptyObject(value);
const isEmptyObject = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** An object without empty values, also in the objects and lists in it: a list becomes an object of its places. */
const compactFields = (value: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
      if (isVoid(one)) return [];
      return [[name, typeof one === 'object' && one !== null ? compactFields(one) : one]];
    }),
  );

export const LIST_EXTENSIONS: MethodsByName<unknown[]> = {
  isEmpty: (list) => list.length === 0,
  isNotEmpty: (list) => list.length > 0,
  first: (list) => list[0],
  last: (list) => list.at(-1),
  append: (list, ...more) => [...list, ...more],
  average: (list) => (list.length === 0 ? undefined : sum(list) / list.length),
  sum,
  min: (list) => Math.min(...numbers(list)),
  max: (list) => Math.max(...numbers(list)),
  chunk: (list, size) => {
    const length = Number(size);
    if (!(length >= 1)) throw new TypeError('The size of the parts has to be 1 or more');
    return Array.from({ length: Math.ceil(list.length / length) }, (_, index) =>
      list.slice(index * length, (index + 1) * length),
    );
  },
  compact: (list) =>
    list
      .filter((one) => !isVoid(one))
      .map((one) => (typeof one === 'object' && one !== null ? compactFields(one) : one)),
  difference: (list, other) => {
    const known = new Set(asList(other).map(key));
    return list.filter((one) => !known.has(key(one)));
  },
  intersection: (list, other) => {
    const known = new Set(asList(other).map(key));
    return withoutRepetitions(
      list.filter((one) => known.has(key(one))),
      [],
    );
  },
  union: (list, other) => withoutRepetitions([...list, ...asList(other)], []),
  unique: (list, ...names) => withoutRepetitions(list, names),
  removeDuplicates: (list, ...names) => withoutRepetitions(list, names),
  /** One object of all, in which earlier ones win; with a list, of pairs with it, in which later ones win. */
  merge: (list, other) => {
    if (other === undefined) return Object.assign({}, ...list.filter(isObject).toReversed()) as unknown;
    const pairs = list.flatMap((one, index) => {
      const added = asList(other)[index];
      return isObject(one) && isObject(added) ? [{ ...added, ...one }] : [];
    });
    return Object.assign({}, ...pairs) as unknown;
  },
  pluck: (list, ...names) => {
    if (names.length === 0) return list;
    // The values stand in the order of the fields; an object with none of them is left out.
    return list.filter(isObject).flatMap((one) => {
      const found = Object.keys(one)
        .filter((name) => names.includes(name))
        .map((name) => one[name]);
      return found.length === 0 ? [] : [found.length === 1 ? found[0] : found];
    });
  },
  randomItem: (list) => list[Math.floor(Math.random() * list.length)],
  renameKeys: (list, ...names) =>
    list.map((one) => {
      if (!isObject(one)) return one;
      const pairs = Array.from({ length: names.length / 2 }, (_, at) => [
        String(names[at * 2]),
        String(names[at * 2 + 1]),
      ]);
      const renamed = new Map(pairs.map(([from = '', to = '']) => [from, to]));
      return Object.fromEntries(Object.entries(one).map(([name, value]) => [renamed.get(name) ?? name, value]));
    }),
  smartJoin: (list, name, value) =>
    Object.fromEntries(
      list
        .filter(isObject)
        .filter((one) => Object.hasOwn(one, String(name)) && Object.hasOwn(one, String(value)))
        .map((one) => [String(one[String(name)]), one[String(value)]]),
    ),
  toJsonString: (list) => JSON.stringify(list),
};

const contains = (value: unknown, part: unknown): boolean => typeof value === 'string' && value.includes(String(part));

export const OBJECT_EXTENSIONS: MethodsByName<Record<string, unknown>> = {
  isEmpty: (value) => Object.keys(value).length === 0,
  isNotEmpty: (value) => Object.keys(value).length > 0,
  keys: (value) => Object.keys(value),
  values: (value) => Object.values(value),
  hasField: (value, name) => Object.hasOwn(value, String(name)),
  removeField: (value, name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== String(name))),
  removeFieldsContaining: (value, part) =>
    Object.fromEntries(Object.entries(value).filter(([, one]) => !contains(one, part))),
  keepFieldsContaining: (value, part) =>
    Object.fromEntries(Object.entries(value).filter(([, one]) => contains(one, part))),
  compact: (value) => compactFields(value),
  merge: (value, other) => ({ ...(isObject(other) ? other : {}), ...value }),
  toJsonString: (value) => JSON.stringify(value),
  urlEncode: (value) =>
    Object.entries(value)
      .map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one)).replaceAll('%20', '+')}`)
      .join('&'),
};
