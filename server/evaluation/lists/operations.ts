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

/** The positions of the items in order. Stable. Missing values are last in either direction. */
function sortPositions(items: unknown[], by: ListSortKey[], step: CountWork): number[] {
  const columns = by.map(({ field }) => orderableValues(items.map((item) => sortValueAt(item, field))));
  const rows = items.map((_, index) => ({ index, keys: columns.map((values) => values[index]) }));
  rows.sort((one, other) => {
    for (const [index, { direction }] of by.entries()) {
      step();
      const [left, right] = [one.keys[index], other.keys[index]];
      const order = compareListValues(left, right);
      if (order !== 0) return direction === 'desc' && !isMissingValue(left) && !isMissingValue(right) ? -order : order;
    }
    return 0;
  });
  return rows.map(({ index }) => index);
}

/** The positions of the items for which the condition holds. */
const filterPositions = (items: unknown[], holds: (item: unknown) => boolean): number[] =>
  items.flatMap((item, index) => (holds(item) ? [index] : []));

/** The positions of the first of equal items; with `by`, of items with equal values of these fields. */
function distinctPositions(items: unknown[], by: string[], step: CountWork): number[] {
  const known = new Set<string>();
  return filterPositions(items, (item) => {
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

/** The result of a list operation. */
export interface ListResult {
  items: unknown[];
  /**
   * For each item the position of the item of the list, or of the left list, that it came from; null: of none.
   * Undefined: unknown.
   */
  origins: (number | null)[] | undefined;
}

const selectPositions = (items: unknown[], origins: number[]): ListResult => ({
  items: origins.map((index) => items[index]),
  origins,
});

/**
 * Computes a list operation. `lists`: the items, or the left and the right ones. `step` is called for each unit of
 * work, and throws when a limit is exceeded. Throws NodeFailure for items that the operation cannot use.
 */
export function computeListOperation(operation: ListOperation, lists: unknown[][], step: CountWork): ListResult {
  const [items = [], others = []] = lists;
  switch (operation.kind) {
    case 'filter':
      return selectPositions(
        items,
        filterPositions(items, (item) => matchesListRules(item, operation.rules, step)),
      );
    case 'sort':
      return selectPositions(items, sortPositions(items, operation.by, step));
    case 'dedupe':
      return selectPositions(items, distinctPositions(items, operation.by, step));
    case 'split': {
      const parts = splitListItems(items, operation.size, step);
      return { items: parts, origins: parts.map((_, index) => index * operation.size) };
    }
    case 'aggregate':
      return { items: aggregateItems(items, operation.groupBy, operation.measures, step), origins: undefined };
    case 'merge':
      return mergeLists(operation, items, others, step);
  }
}

const leftOrigins = (count: number, left: unknown[]) =>
  Array.from({ length: count }, (_, index) => (index < left.length ? index : null));

function mergeLists(
  operation: Extract<ListOperation, { kind: 'merge' }>,
  left: unknown[],
  right: unknown[],
  step: CountWork,
): ListResult {
  if (operation.mode === 'by_key')
    return mergeListsByKey([left, right], [operation.leftKey, operation.rightKey], operation.join, step);
  const items =
    operation.mode === 'append' ? [...left, ...right] : mergeListsByPosition(left, right, operation.join, step);
  return { items, origins: leftOrigins(items.length, left) };
}
