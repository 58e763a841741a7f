import { isPlainRecord } from '../data/table/table-data';

/** Names and positions, from 0, on the way to a field. */
export type FieldPath = readonly (string | number)[];

/** A difference between two values. Positions are those of the later value, if the field is there. */
export type ValueChange =
  | { kind: 'added'; path: FieldPath; after: unknown }
  | { kind: 'removed'; path: FieldPath; before: unknown }
  | { kind: 'changed'; path: FieldPath; before: unknown; after: unknown }
  // `from`: the position in the earlier list.
  | { kind: 'moved'; path: FieldPath; from: number; after: unknown };

const MAX_VALUE_CHANGES = 500;
/** Fields that tell which item of a list an object is, the best first. */
const IDENTITY_FIELDS = ['id', '_id', 'key', 'uuid', 'sku', 'email', 'name'];

/** The differences of two JSON values, field by field. `isCut`: there are more. */
export function listValueChanges(before: unknown, after: unknown): { changes: ValueChange[]; isCut: boolean } {
  const changes: ValueChange[] = [];
  collectChanges(before, after, [], changes);
  return { changes: changes.slice(0, MAX_VALUE_CHANGES), isCut: changes.length > MAX_VALUE_CHANGES };
}

function collectChanges(before: unknown, after: unknown, path: FieldPath, found: ValueChange[]): void {
  if (found.length > MAX_VALUE_CHANGES || Object.is(before, after)) return;
  if (Array.isArray(before) && Array.isArray(after)) return compareItemLists(before, after, path, found);
  if (!isPlainRecord(before) || !isPlainRecord(after)) {
    if (orderedJson(before) !== orderedJson(after)) found.push({ kind: 'changed', path, before, after });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const at = [...path, name];
    if (!Object.hasOwn(after, name)) found.push({ kind: 'removed', path: at, before: before[name] });
    else if (!Object.hasOwn(before, name)) found.push({ kind: 'added', path: at, after: after[name] });
    else collectChanges(before[name], after[name], at, found);
  }
}

/** JSON in which the order of fields does not count. */
function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join()}]`;
  if (!isPlainRecord(value)) return JSON.stringify(value) ?? '';
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${orderedJson(inner)}`).join()}}`;
}

/**
 * Compares the items that belong together: those with the same key, otherwise equal ones, otherwise those at the same
 * place between equal ones.
 */
function compareItemLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: FieldPath,
  found: ValueChange[],
): void {
  const key = IDENTITY_FIELDS.find((name) => identifiesItems(name, before) && identifiesItems(name, after));
  const nameOf =
    key === undefined ? orderedJson : (item: unknown) => JSON.stringify((item as Record<string, unknown>)[key]);
  const partners = matchByName(before.map(nameOf), after.map(nameOf));
  const inOrder = longestIncreasing(partners);
  const isUsed = new Set(partners);
  if (key === undefined) pairReplacedItems(partners, inOrder, isUsed, before.length);
  for (const [at, from] of partners.entries()) {
    const here = [...path, at];
    if (from === undefined) found.push({ kind: 'added', path: here, after: after[at] });
    else {
      if (!inOrder.has(at)) found.push({ kind: 'moved', path: here, from, after: after[at] });
      collectChanges(before[from], after[at], here, found);
    }
  }
  for (const [at, item] of before.entries())
    if (!isUsed.has(at)) found.push({ kind: 'removed', path: [...path, at], before: item });
}

/** Whether a field has a value of its own in each item. */
function identifiesItems(name: string, items: readonly unknown[]): boolean {
  const values = items.map((item) => (isPlainRecord(item) ? item[name] : undefined));
  const isScalar = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isScalar && new Set(values).size === items.length;
}

/** Finds for each later item the position of an earlier one with the same name. Each earlier item is used once. */
function matchByName(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const free = new Map<string, number[]>();
  for (const [at, name] of before.entries()) {
    const others = free.get(name);
    if (others) others.push(at);
    else free.set(name, [at]);
  }
  for (const positions of free.values()) positions.reverse();
  return after.map((name) => free.get(name)?.pop());
}

/** The positions of a longest rising sequence: these items kept their order, the others moved. */
function longestIncreasing(values: readonly (number | undefined)[]): Set<number> {
  // The smallest last value of a sequence by its length, and what comes before each value (patience sorting).
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1];
    ends[low] = at;
  }
  const rising = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rising.add(at);
  return rising;
}

/**
 * Pairs the items that are new with those that are gone between two items that kept their order: they have probably
 * changed.
 */
function pairReplacedItems(
  partners: (number | undefined)[],
  inOrder: Set<number>,
  isUsed: Set<number | undefined>,
  length: number,
): void {
  let free = 0;
  let fresh: number[] = [];
  const close = (end: number) => {
    for (const at of fresh) {
      while (free < end && isUsed.has(free)) free += 1;
      if (free >= end) break;
      partners[at] = free;
      inOrder.add(at);
      isUsed.add(free);
    }
    fresh = [];
    free = end;
  };
  for (const [at, from] of [...partners.entries(), [partners.length, length] as const]) {
    if (from === undefined) fresh.push(at);
    else if (inOrder.has(at) || at === partners.length) close(from);
  }
}
