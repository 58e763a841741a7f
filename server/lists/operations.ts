import { aggregate, type Measure } from './aggregate';
import { mergeByKey, mergeByPosition, type Join } from './merge';
import { matches, type Rules } from './rules';
import { compare, fieldOf, isMissing, keyOf, orderableValues, type Step } from './values';

/** An operation on lists, with its options. */
export type ListOperation =
  | { kind: 'filter'; rules: Rules }
  | { kind: 'sort'; by: SortKey[] }
  | { kind: 'dedupe'; by: string[] }
  | { kind: 'split'; size: number }
  | { kind: 'aggregate'; groupBy: string[]; measures: Measure[] }
  | { kind: 'merge'; mode: 'by_key'; leftKey: string; rightKey: string; join: Join }
  | { kind: 'merge'; mode: 'by_position'; join: Join }
  | { kind: 'merge'; mode: 'append' };

export interface SortKey {
  /** Empty: the item itself. */
  field: string;
  direction: 'asc' | 'desc';
}

const valueAt = (item: unknown, path: string) => (path === '' ? item : fieldOf(item, path));

/** Stable. Missing values are last in either direction. */
function sort(items: unknown[], by: SortKey[], step: Step): unknown[] {
  const columns = by.map(({ field }) => orderableValues(items.map((item) => valueAt(item, field))));
  const rows = items.map((item, index) => ({ item, keys: columns.map((values) => values[index]) }));
  rows.sort((one, other) => {
    for (const [index, { direction }] of by.entries()) {
      step();
      const [left, right] = [one.keys[index], other.keys[index]];
      const order = compare(left, right);
      if (order !== 0) return direction === 'desc' && !isMissing(left) && !isMissing(right) ? -order : order;
    }
    return 0;
  });
  return rows.map(({ item }) => item);
}

/** Keeps the first of equal items; with `by`, of items with equal values of these fields. */
function dedupe(items: unknown[], by: string[], step: Step): unknown[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(by.length === 0 ? item : by.map((path) => fieldOf(item, path) ?? null), step);
    return known.size < known.add(key).size;
  });
}

function split(items: unknown[], size: number, step: Step): unknown[][] {
  const parts: unknown[][] = [];
  for (let start = 0; start < items.length; start += size) {
    step();
    parts.push(items.slice(start, start + size));
  }
  return parts;
}

/**
 * Computes a list operation. `lists`: the items, or the left and the right ones. `step` is called for each unit of work, and throws when
 * a limit is exceeded. Throws NodeFailure for items that the operation cannot use.
 */
export function computeList(operation: ListOperation, lists: unknown[][], step: Step): unknown[] {
  const [items = [], others = []] = lists;
  switch (operation.kind) {
    case 'filter':
      return items.filter((item) => matches(item, operation.rules, step));
    case 'sort':
      return sort(items, operation.by, step);
    case 'dedupe':
      return dedupe(items, operation.by, step);
    case 'split':
      return split(items, operation.size, step);
    case 'aggregate':
      return aggregate(items, operation.groupBy, operation.measures, step);
    case 'merge':
      if (operation.mode === 'append') return [...items, ...others];
      return operation.mode === 'by_position'
        ? mergeByPosition(items, others, operation.join, step)
        : mergeByKey([items, others], [operation.leftKey, operation.rightKey], operation.join, step);
  }
}
