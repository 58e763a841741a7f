import { Slices } from '@/components/client/slices';
import { cellOf, textOf } from './table-data';

export type Direction = 'ascending' | 'descending';

/** Which rows of a table are wanted, in which order. */
export interface RowQuery {
  /** The empty text: all rows. */
  text: string;
  order: { column: string; direction: Direction } | undefined;
}

/** Texts are compared by their beginning. */
const MOST_LETTERS = 200;
/** Rows between two looks at the clock. */
const STEP = 500;

/** A missing value is undefined. */
type SortKey = number | string | undefined;

/** Texts in any case, without accents, and with their numbers by size: `File 9` before `file 10`. */
const folded = (text: string): string =>
  text
    .slice(0, MOST_LETTERS)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(16, '0'));

function keyOf(value: unknown): SortKey {
  if (typeof value === 'number') return value;
  const text = textOf(value);
  return text === '' ? undefined : folded(text);
}

/** Numbers before texts; missing values are last in both directions. */
function compare(one: SortKey, other: SortKey, sign: number): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (typeof one !== typeof other) return typeof one === 'number' ? -sign : sign;
  return one < other ? -sign : one > other ? sign : 0;
}

/** Searches and sorts the rows of a table in slices. What was read once is kept. */
export class RowIndex {
  /** The cells of each row as one text in lower case. */
  private readonly texts: string[] = [];
  private readonly keys = new Map<string, SortKey[]>();

  constructor(
    private readonly rows: readonly unknown[],
    private readonly columns: readonly string[],
  ) {}

  /** The indices of the rows in their order. Throws if the signal aborts. */
  async find({ text, order }: RowQuery, signal?: AbortSignal): Promise<number[]> {
    const slices = new Slices(signal);
    const found = await this.search(text.trim().toLowerCase(), slices);
    return order ? this.sort(found, order.column, order.direction === 'ascending' ? 1 : -1, slices) : found;
  }

  private async search(wanted: string, slices: Slices): Promise<number[]> {
    if (wanted === '') return [...this.rows.keys()];
    const found: number[] = [];
    for (let at = 0; at < this.rows.length; at += 1) {
      if (at % STEP === 0 && slices.isOver) await slices.next();
      this.texts[at] ??= this.columns.map((column) => textOf(cellOf(this.rows[at], column)).toLowerCase()).join('\n');
      if (this.texts[at]?.includes(wanted)) found.push(at);
    }
    return found;
  }

  private async sort(found: number[], column: string, sign: number, slices: Slices): Promise<number[]> {
    const keys = await this.keysOf(column, slices);
    const compareRows = (one: number, other: number) => compare(keys[one], keys[other], sign);
    // Merge sort: the browser’s own sort of all rows would be one long step.
    let sorted: number[][] = [];
    for (let at = 0; at < found.length; at += STEP) {
      if (slices.isOver) await slices.next();
      sorted.push(found.slice(at, at + STEP).sort(compareRows));
    }
    while (sorted.length > 1) {
      const merged: number[][] = [];
      for (let at = 0; at < sorted.length; at += 2)
        merged.push(await merge(sorted[at] ?? [], sorted[at + 1] ?? [], compareRows, slices));
      sorted = merged;
    }
    return sorted[0] ?? [];
  }

  private async keysOf(column: string, slices: Slices): Promise<SortKey[]> {
    const known = this.keys.get(column);
    if (known) return known;
    const keys: SortKey[] = [];
    for (const [at, row] of this.rows.entries()) {
      if (at % STEP === 0 && slices.isOver) await slices.next();
      keys.push(keyOf(cellOf(row, column)));
    }
    this.keys.set(column, keys);
    return keys;
  }
}

/** Stable: equal rows of the first list come first. */
async function merge(
  one: readonly number[],
  other: readonly number[],
  compareRows: (one: number, other: number) => number,
  slices: Slices,
): Promise<number[]> {
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (merged.length % STEP === 0 && slices.isOver) await slices.next();
    const [a = 0, b = 0] = [one[i], other[j]];
    if (compareRows(a, b) <= 0) {
      merged.push(a);
      i += 1;
    } else {
      merged.push(b);
      j += 1;
    }
  }
  return merged.concat(one.slice(i), other.slice(j));
}
