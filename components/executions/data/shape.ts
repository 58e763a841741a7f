import { isFileValue } from '@/contract/file-value';
import { isRecord } from './table/table-data';

/** The types and fields of values, without the values. */
export interface Shape {
  /** The types that occur, in the order of their first appearance. */
  types: string[];
  /** In how many of the objects that could have it this field occurs. */
  count: number;
  fields: Map<string, Shape>;
  /** The items of lists, merged. `count`: the number of items. */
  items: Shape | null;
}

const SAMPLE = 1000;
const MAX_DEPTH = 12;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (isFileValue(value)) return 'file';
  if (isRecord(value)) return 'object';
  return typeof value === 'string' ? 'text' : typeof value;
}

/** The shape of values of one kind, for example of the items of a list. It reads the first thousand. */
export function shapeOf(values: readonly unknown[], depth = 0): Shape {
  const read = values.slice(0, SAMPLE);
  const types = new Set(read.map(typeOf));
  const inner = new Map<string, unknown[]>();
  const items: unknown[] = [];
  if (depth < MAX_DEPTH) {
    for (const value of read) {
      if (Array.isArray(value)) items.push(...value.slice(0, SAMPLE));
      if (!isRecord(value) || isFileValue(value)) continue;
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
    fields: new Map([...inner].map(([name, each]) => [name, shapeOf(each, depth + 1)])),
    items: items.length > 0 ? shapeOf(items, depth + 1) : null,
  };
}

/** For example `text or null`, `list of objects`. */
export function describe({ types, items }: Shape): string {
  const plural = (type: string) => (type === 'text' || type === 'null' ? `${type} values` : `${type}s`);
  const of = items ? ` of ${items.types.map(plural).join(' or ')}` : '';
  return types.map((type) => (type === 'list' ? `list${of}` : type)).join(' or ');
}
