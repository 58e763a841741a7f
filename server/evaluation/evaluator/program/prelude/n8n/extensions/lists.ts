import { refuseCall, type MethodsByName } from './extension';

type Fields = Record<string, unknown>;
const isAnyObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A text that equal values have in common, with what is in them: the order of fields does not matter. */
function writeComparedText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (!isAnyObject(value)) return typeof value === 'bigint' ? `${value}n` : String(value);
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (Array.isArray(value)) return `[${Array.from(value, writeComparedText).join(',')}]`;
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${writeComparedText(value[name])}`).join(',')}}`;
}

/** The values by which repetitions are found: the fields that are named, or the whole. */
function chooseComparedPart(value: unknown, names: readonly unknown[]): unknown {
  if (names.length === 0 || !isAnyObject(value)) return value;
  return Object.fromEntries(names.map((name) => [String(name), value[String(name)]]));
}

/** Values that are looked up by what they are equal to, so that long lists take linear time. */
class EqualValues {
  private readonly texts = new Set<string>();

  constructor(values: readonly unknown[] = []) {
    for (const value of values) this.add(value);
  }

  has(value: unknown): boolean {
    return this.texts.has(writeComparedText(value));
  }

  /** Whether the value was not there before. */
  add(value: unknown): boolean {
    const { size } = this.texts;
    return this.texts.add(writeComparedText(value)).size > size;
  }
}

function leaveRepetitionsOut(list: readonly unknown[], names: readonly unknown[] = []): unknown[] {
  const seen = new EqualValues();
  return list.filter((one) => seen.add(chooseComparedPart(one, names)));
}

function requireNumbers(list: unknown[], name: string): number[] {
  if (list.some((one) => typeof one !== 'number')) refuseCall(`${name}(): all array elements must be numbers`);
  return list as number[];
}
const sum = (list: unknown[], name = 'sum'): number =>
  requireNumbers(list, name).reduce((total, one) => total + one, 0);

function requireList(value: unknown, message: string): unknown[] {
  return Array.isArray(value) ? value : refuseCall(message);
}

const isVoid = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === 'nil' ||
  (isAnyObject(value) && Object.keys(value).length === 0);

/** An object without empty values, also in the objects and lists in it: a list becomes an object of its places. */
const compactFields = (value: object): Fields =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, one]: [string, unknown]) => {
      if (isVoid(one)) return [];
      return [[name, isAnyObject(one) ? compactFields(one) : one]];
    }),
  );

/** An object with the fields of another that it does not have. */
function addFields(value: unknown, other: unknown): Fields {
  if (!other) return value as Fields;
  return Object.fromEntries([
    ...Object.entries({ ...(value as object) }),
    ...Object.entries(other).filter(([name]) => !(isAnyObject(value) && Object.hasOwn(value, name))),
  ]);
}

/** One object of the objects in a list: earlier ones win. */
function mergeObjects(list: unknown[]): Fields {
  const merged = new Map<string, unknown>();
  for (const one of list.filter((value) => isAnyObject(value) && !Array.isArray(value)))
    for (const [name, value] of Object.entries(one as Fields)) if (!merged.has(name)) merged.set(name, value);
  return Object.fromEntries(merged);
}

/** One object of the pairs of two lists: later ones win. */
function mergePairs(list: unknown[], others: unknown[]): Fields {
  const merged: Fields = {};
  for (const [at, one] of list.entries())
    if (typeof one === 'object' && typeof others[at] === 'object')
      // A pair without any object is an error, as in n8n.
      Object.assign(merged, Object.fromEntries(Object.entries(addFields(one, others[at]))));
  return merged;
}

/** The same, of pairs of which one is enough. */
function mergeAnyPairs(list: unknown[], others: unknown[]): Fields {
  const merged: Fields = {};
  for (let at = 0; at < Math.max(list.length, others.length); at += 1) {
    const [one, other] = [list[at], others[at]];
    if (isAnyObject(one)) Object.assign(merged, addFields(one, isAnyObject(other) ? other : undefined));
    else if (isAnyObject(other)) Object.assign(merged, other);
  }
  return merged;
}

/** The values stand in the order of the fields; an object with none of them is left out. */
const pluckValues = (list: unknown[], names: unknown[]): unknown[] =>
  list.filter(isAnyObject).flatMap((one) => {
    const found = Object.keys(one).flatMap((name) => names.filter((asked) => asked === name).map(() => one[name]));
    return found.length === 0 ? [] : [found.length === 1 ? found[0] : found];
  });

function renameFields(value: unknown, names: readonly unknown[]): unknown {
  if (!isAnyObject(value)) return value;
  const renamed: Fields = { ...value };
  for (let at = 0; at < names.length; at += 2) {
    const [from, to] = [String(names[at]), String(names[at + 1])];
    if (!Object.hasOwn(renamed, from)) continue;
    renamed[to] = renamed[from];
    delete renamed[from];
  }
  return renamed;
}

function joinFields(list: unknown[], name: unknown, value: unknown): Fields {
  if (typeof name !== 'string' || typeof value !== 'string' || !name || !value)
    return refuseCall('smartJoin(): expected two string args, e.g. .smartJoin("name", "value")');
  const entries = list.filter((one) => isAnyObject(one) && Object.hasOwn(one, name) && Object.hasOwn(one, value));
  return Object.fromEntries((entries as Fields[]).map((one) => [String(one[name]), one[value]]));
}

function splitIntoParts(list: unknown[], size: unknown): unknown[][] {
  if (typeof size !== 'number' || size === 0)
    return refuseCall('chunk(): expected non-zero numeric arg, e.g. .chunk(5)');
  const parts: unknown[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

const asksForNumbers = (name: string) => `${name}(): expected array arg, e.g. .${name}([1, 2, 3, 4])`;
const asksForObjects = (name: string) => `${name}(): expected array arg, e.g. .${name}([{ id: 1, otherValue: 3 }])`;

export const LIST_EXTENSIONS: MethodsByName<unknown[]> = {
  isEmpty: (list) => list.length === 0,
  isNotEmpty: (list) => list.length > 0,
  first: (list) => list[0],
  last: (list) => list.at(-1),
  reverse: (list) => list.toReversed(),
  append: (list, ...more) => list.concat(more),
  average: (list) => (list.length === 0 ? 0 : sum(list, 'average') / list.length),
  sum: (list) => sum(list),
  min: (list) => Math.min(...requireNumbers(list, 'min')),
  max: (list) => Math.max(...requireNumbers(list, 'max')),
  chunk: splitIntoParts,
  compact: (list) => list.filter((one) => !isVoid(one)).map((one) => (isAnyObject(one) ? compactFields(one) : one)),
  difference: (list, other) => {
    const known = new EqualValues(requireList(other, asksForNumbers('difference')));
    return leaveRepetitionsOut(list.filter((one) => !known.has(one)));
  },
  intersection: (list, given) => {
    const others = requireList(given, asksForNumbers('intersection'));
    const known = new EqualValues(others);
    return leaveRepetitionsOut(list.filter((one) => known.has(one)));
  },
  union: (list, other) => leaveRepetitionsOut([...list, ...requireList(other, asksForNumbers('union'))]),
  unique: (list, ...names) => leaveRepetitionsOut(list, names),
  removeDuplicates: (list, ...names) => leaveRepetitionsOut(list, names),
  merge: (list, other) =>
    other === undefined ? mergeObjects(list) : mergePairs(list, requireList(other, asksForObjects('merge'))),
  mergeIntoObject: (list, other) => mergeAnyPairs(list, requireList(other, asksForObjects('mergeIntoObject'))),
  pluck: (list, ...names) => (names.length === 0 ? list : pluckValues(list, names)),
  randomItem: (list) => list[Math.floor(Math.random() * list.length)],
  renameKeys: (list, ...names) => {
    if (names.length === 0 || names.length % 2 !== 0)
      refuseCall(
        'renameKeys(): expected an even amount of args: from1, to1 [, from2, to2, ...]. e.g. .renameKeys("name", "title")',
      );
    return list.map((one) => renameFields(one, names));
  },
  smartJoin: joinFields,
  toJsonString: (list) => JSON.stringify(list),
  toInt: () => undefined,
  toFloat: () => undefined,
  toBoolean: () => undefined,
  toDateTime: () => undefined,
};

/** An object without the texts that do not pass. */
function filterTexts(value: Fields, part: unknown, message: string, keeps: (hasPart: boolean) => boolean): Fields {
  if (typeof part !== 'string' || part === '') return refuseCall(message);
  return Object.fromEntries(
    Object.entries(value).filter(([, one]) => keeps(typeof one === 'string' && one.includes(part))),
  );
}

export const OBJECT_EXTENSIONS: MethodsByName<Fields> = {
  isEmpty: (value) => Object.keys(value).length === 0,
  isNotEmpty: (value) => Object.keys(value).length > 0,
  keys: (value) => Object.keys(value),
  values: (value) => Object.values(value),
  hasField: (value, name) => String(name) in value,
  removeField: (value, name) => Object.fromEntries(Object.entries(value).filter(([one]) => one !== String(name))),
  removeFieldsContaining: (value, part) =>
    filterTexts(value, part, 'removeFieldsContaining(): expected non-empty string arg', (hasPart) => !hasPart),
  keepFieldsContaining: (value, part) =>
    filterTexts(value, part, 'argument of keepFieldsContaining must be a non-empty string', (hasPart) => hasPart),
  compact: (value) => compactFields(value),
  urlEncode: (value) => new URLSearchParams(value as Record<string, string>).toString(),
  toJsonString: (value) => JSON.stringify(value),
  toInt: () => undefined,
  toFloat: () => undefined,
  toBoolean: () => undefined,
  toDateTime: () => undefined,
};
