import { NodeFailure } from '@/server/platform/errors/node-failure';
import { itemFieldValue, isMissingValue, serializeEqualityKey, type CountWork } from './values';

export type ListJoin = 'inner' | 'left' | 'outer';

const isMergeableObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of both objects (those of the right one win); `{left, right}` if one of them is not an object. */
function mergeItems(left: unknown, right: unknown, step: CountWork): unknown {
  step();
  if (!isMergeableObject(left) || !isMergeableObject(right)) return { left, right };
  const entries = [...Object.entries(left), ...Object.entries(right)];
  entries.forEach(step);
  return Object.fromEntries(entries);
}

/** Maximum number of joined items: equal keys on both sides multiply. */
export const MAX_MERGED_ITEMS = 100_000;

/**
 * Joins each item of the left list with each item of the right list that has an equal key. Missing keys match nothing.
 */
export function mergeListsByKey(
  [left, right]: [unknown[], unknown[]],
  [leftKey, rightKey]: [string, string],
  join: ListJoin,
  step: CountWork,
): unknown[] {
  const byKey = new Map<string, unknown[]>();
  const matched = new Set<unknown[]>();
  const unmatchable: unknown[] = [];
  for (const item of right) {
    const value = itemFieldValue(item, rightKey);
    if (isMissingValue(value)) {
      unmatchable.push(item);
      continue;
    }
    const key = serializeEqualityKey(value, step);
    const group = byKey.get(key);
    if (group) group.push(item);
    else byKey.set(key, [item]);
  }
  const result: unknown[] = [];
  for (const item of left) {
    step();
    const value = itemFieldValue(item, leftKey);
    const group = isMissingValue(value) ? undefined : byKey.get(serializeEqualityKey(value, step));
    if (!group) {
      if (join !== 'inner') result.push(item);
      continue;
    }
    matched.add(group);
    if (result.length + group.length > MAX_MERGED_ITEMS)
      throw new NodeFailure('TOO_MANY_ITEMS', `The merged list has more than ${MAX_MERGED_ITEMS} items.`, false);
    for (const other of group) result.push(mergeItems(item, other, step));
  }
  if (join !== 'outer') return result;
  const rest = [...byKey.values()].filter((group) => !matched.has(group)).flat();
  return [...result, ...rest, ...unmatchable];
}

/** Joins the items at equal positions. `left` and `outer` keep the items that have no counterpart. */
export function mergeListsByPosition(left: unknown[], right: unknown[], join: ListJoin, step: CountWork): unknown[] {
  const lengths = {
    inner: Math.min(left.length, right.length),
    left: left.length,
    outer: Math.max(left.length, right.length),
  };
  return Array.from({ length: lengths[join] }, (_, index) => {
    step();
    if (index >= right.length) return left[index];
    return index >= left.length ? right[index] : mergeItems(left[index], right[index], step);
  });
}
