import { z } from 'zod';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import {
  compareListValues,
  itemFieldValue,
  isMissingValue,
  serializeEqualityKey,
  orderableValues,
  type CountWork,
} from './values';

export const ListMeasure = z.strictObject({
  name: z.string().min(1).max(100).meta({ title: 'Name', description: 'The field of the result.' }),
  operation: z
    .enum(['count', 'sum', 'avg', 'min', 'max', 'list', 'first', 'last', 'join'])
    .meta({ title: 'Operation', apiDescription: 'What is computed' }),
  field: z
    .string()
    .max(500)
    .optional()
    .meta({ title: 'Field', description: 'A path such as order.total. Empty: the item itself.' }),
});
export type ListMeasure = z.infer<typeof ListMeasure>;

function requireNumbers(values: unknown[], { name, field = 'the item' }: ListMeasure): number[] {
  return values.map((value) => {
    if (typeof value === 'number') return value;
    const found = JSON.stringify(value) ?? 'undefined';
    const shown = found.length > 60 ? `${found.slice(0, 59)}…` : found;
    throw new NodeFailure('NOT_A_NUMBER', `The measure ${name} needs numbers, but ${field} is ${shown}.`, false);
  });
}

const writeJoinedValue = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/**
 * Missing values do not count; without values the result is null, or that of no values for `count`, `sum`, `list` and
 * `join`.
 */
function computeMeasure(items: unknown[], measure: ListMeasure, step: CountWork): unknown {
  const { operation, field } = measure;
  const values: unknown[] = [];
  for (const item of items) {
    step();
    const value = field ? itemFieldValue(item, field) : item;
    if (!isMissingValue(value)) values.push(value);
  }
  const best = (isBetter: (order: number) => boolean): unknown => {
    const ordered = orderableValues(values);
    let found = 0;
    for (const [index, value] of ordered.entries())
      if (isBetter(compareListValues(value, ordered[found]))) found = index;
    return values[found] ?? null;
  };
  switch (operation) {
    case 'count':
      return values.length;
    case 'sum':
      return requireNumbers(values, measure).reduce((sum, value) => sum + value, 0);
    case 'avg':
      return values.length === 0
        ? null
        : requireNumbers(values, measure).reduce((sum, value) => sum + value, 0) / values.length;
    case 'min':
      return best((order) => order < 0);
    case 'max':
      return best((order) => order > 0);
    case 'list':
      return values;
    case 'first':
      return values[0] ?? null;
    case 'last':
      return values.at(-1) ?? null;
    case 'join':
      return values.map(writeJoinedValue).join(', ');
  }
}

/**
 * One object for each group of items with equal values of the fields in `groupBy`, in the order of their first items:
 * the values by their paths, and the measures by their names. Without `groupBy` all items are one group, also if there
 * are none.
 */
export function aggregateItems(
  items: unknown[],
  groupBy: string[],
  measures: ListMeasure[],
  step: CountWork,
): unknown[] {
  const groups = new Map<string, { values: [string, unknown][]; items: unknown[] }>();
  if (groupBy.length === 0) groups.set('', { values: [], items });
  else
    for (const item of items) {
      const values = groupBy.map((path): [string, unknown] => [path, itemFieldValue(item, path) ?? null]);
      const key = serializeEqualityKey(
        values.map(([, value]) => value),
        step,
      );
      const group = groups.get(key);
      if (group) group.items.push(item);
      else groups.set(key, { values, items: [item] });
    }
  return [...groups.values()].map((group) =>
    Object.fromEntries([
      ...group.values,
      ...measures.map((measure): [string, unknown] => [measure.name, computeMeasure(group.items, measure, step)]),
    ]),
  );
}
