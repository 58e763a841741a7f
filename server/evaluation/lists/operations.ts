import { aggregateItems, type ListMeasure } from './aggregate';
import { mergeListsByKey, mergeListsByPosition, type ListJoin } from './merge';
import { matchesListRules, type ListRules } from './rules';
import {
  compareListValues,
  itemFieldValue,
  isMissingValue,
  serializeEqualityKey,
  orderableValues,
  type CountWork,
} from './values';

/** An operation on lists, with its options. */
export type ListOperation =
  | { kind: 'filter'; rules: ListRules }
  | { kind: 'sort'; by: ListSortKey[] }
  | { kind: 'dedupe'; by: string[] }
  | { kind: 'split'; size: number }
  | { kind: 'aggregate'; groupBy: string[]; measures: ListMeasure[] }
  | { kind: 'merge'; mode: 'by_key'; leftKey: string; rightKey: string; join: ListJoin }
  | { kind: 'merge'; mode: 'by_position'; join: ListJoin }
  | { kind: 'merge'; mode: 'append' };

export interface ListSortKey {
  /** Empty: the item itself. */
  field: string;
  direction: 'asc' | 'desc';
}

const sortValueAt = (item: unknown, path: string) => (path === '' ? item : itemFieldValue(item, path));

/** Stable. Missing values are last in either direction. */
function sortItems(items: unknown[], by: ListSortKey[], step: CountWork): unknown[] {
  const columns = by.map(({ field }) => orderableValues(items.map((item) => sortValueAt(item, field))));
  const rows = items.map((item, index) => ({ item, keys: columns.map((values) => values[index]) }));
  rows.sort((one, other) => {
    for (const [index, { direction }] of by.entries()) {
      step();
      const [left, right] = [one.keys[index], other.keys[index]];
      const order = compareListValues(left, right);
      if (order !== 0) return direction === 'desc' && !isMissingValue(left) && !isMissingValue(right) ? -order : order;
    }
    return 0;
  });
  return rows.map(({ item }) => item);
}

/** Keeps the first of equal items; with `by`, of items with equal values of these fields. */
function removeDuplicates(items: unknown[], by: string[], step: CountWork): unknown[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const key = serializeEqualityKey(
      by.length === 0 ? item : by.map((path) => itemFieldValue(item, path) ?? null),
      step,
    );
    return known.size < known.add(key).size;
  });
}

function splitListItems(items: unknown[], size: number, step: CountWork): unknown[][] {
  const parts: unknown[][] = [];
  for (let start = 0; start < items.length; start += size) {
    step();
    parts.push(items.slice(start, start + size));
  }
  return parts;
}

/**
 * Computes a list operation. `lists`: the items, or the left and the right ones. `step` is called for each unit of
 * work, and throws when a limit is exceeded. Throws NodeFailure for items that the operation cannot use.
 */
export function computeListOperation(operation: ListOperation, lists: unknown[][], step: CountWork): unknown[] {
  const [items = [], others = []] = lists;
  switch (operation.kind) {
    case 'filter':
      return items.filter((item) => matchesListRules(item, operation.rules, step));
    case 'sort':
      return sortItems(items, operation.by, step);
    case 'dedupe':
      return removeDuplicates(items, operation.by, step);
    case 'split':
      return splitListItems(items, operation.size, step);
    case 'aggregate':
      return aggregateItems(items, operation.groupBy, operation.measures, step);
    case 'merge':
      if (operation.mode === 'append') return [...items, ...others];
      return operation.mode === 'by_position'
        ? mergeListsByPosition(items, others, operation.join, step)
        : mergeListsByKey([items, others], [operation.leftKey, operation.rightKey], operation.join, step);
  }
}
