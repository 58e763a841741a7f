import { isFileValue } from '@/contract/file-value';
import { isPlainRecord } from './table/table-data';

/** The types and fields of values, without the values. */
export interface ValueShape {
  /** The types that occur, in the order of their first appearance. */
  types: string[];
  /** The number of objects that have this field. */
  count: number;
  fields: Map<string, ValueShape>;
  /** The items of lists, merged. `count`: the number of items. */
  items: ValueShape | null;
}

const MAX_SAMPLED_VALUES = 1000;
const MAX_INFERRED_DEPTH = 12;

function shapeTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (isFileValue(value)) return 'file';
  if (isPlainRecord(value)) return 'object';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** The shape of values of one kind, for example of the items of a list. It reads the first thousand. */
export function inferShape(values: readonly unknown[], depth = 0): ValueShape {
  const read = values.slice(0, MAX_SAMPLED_VALUES);
  const types = new Set(read.map(shapeTypeName));
  const inner = new Map<string, unknown[]>();
  const items: unknown[] = [];
  if (depth < MAX_INFERRED_DEPTH) {
    for (const value of read) {
      if (Array.isArray(value)) items.push(...value.slice(0, MAX_SAMPLED_VALUES));
      if (!isPlainRecord(value) || isFileValue(value)) continue;
      for (const [name, each] of Object.entries(value)) {
        const others = inner.get(name);
        if (others) others.push(each);
        else inner.set(name, [each]);
      }
    }
  }
  return {
    types: [...types],
    count: read.length,
    fields: new Map([...inner].map(([name, each]) => [name, inferShape(each, depth + 1)])),
    items: items.length > 0 ? inferShape(items, depth + 1) : null,
  };
}

/** For example `text or null`, `list of objects`. */
export function describeValueShape({ types, items }: ValueShape): string {
  const plural = (type: string) => (type === 'text' || type === 'null' ? `${type} values` : `${type}s`);
  const of = items ? ` of ${items.types.map(plural).join(' or ')}` : '';
  return types.map((type) => (type === 'list' ? `list${of}` : type)).join(' or ');
}
