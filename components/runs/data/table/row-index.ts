import { TimeSlices } from '@/components/client/time-slices';
import { cellValue, tableCellText } from './table-data';

export type SortDirection = 'ascending' | 'descending';

/** Which rows of a table are wanted, in which order. */
export interface TableRowQuery {
  /** The text to search for. The empty text finds all rows. */
  text: string;
  order: { column: string; direction: SortDirection } | undefined;
}

/** Texts are compared by their beginning. */
const MAX_SORTED_LETTERS = 200;
/** The clock is read once per this number of rows. */
const ROWS_PER_SLICE = 500;

/** A missing value is undefined. */
type SortableKey = number | string | undefined;

/** Texts in any case, without accents, and with their numbers by size: `File 9` before `file 10`. */
const foldText = (text: string): string =>
  text
    .slice(0, MAX_SORTED_LETTERS)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(16, '0'));

function toSortableKey(value: unknown): SortableKey {
  if (typeof value === 'number') return value;
  const text = tableCellText(value);
  return text === '' ? undefined : foldText(text);
}

/** Numbers before texts; missing values are last in both directions. */
function compareSortKeys(one: SortableKey, other: SortableKey, sign: number): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  if (typeof one !== typeof other) return typeof one === 'number' ? -sign : sign;
  return one < other ? -sign : one > other ? sign : 0;
}

/** Searches and sorts the rows of a table in slices. What was read once is kept. */
export class RowIndex {
  /** The cells of each row as one text in lower case. */
  private readonly texts: string[] = [];
  private readonly keys = new Map<string, SortableKey[]>();

  constructor(
    private readonly rows: readonly unknown[],
    private readonly columns: readonly string[],
  ) {}

  /** The indices of the rows in their order. Throws if the signal aborts. */
  async find({ text, order }: TableRowQuery, signal?: AbortSignal): Promise<number[]> {
    const slices = new TimeSlices(signal);
    const found = await this.search(text.trim().toLowerCase(), slices);
    return order ? this.sort(found, order.column, order.direction === 'ascending' ? 1 : -1, slices) : found;
  }

  private async search(wanted: string, slices: TimeSlices): Promise<number[]> {
    if (wanted === '') return [...this.rows.keys()];
    const found: number[] = [];
    for (let at = 0; at < this.rows.length; at += 1) {
      if (at % ROWS_PER_SLICE === 0 && slices.isOver) await slices.next();
      this.texts[at] ??= this.columns
        .map((column) => tableCellText(cellValue(this.rows[at], column)).toLowerCase())
        .join('\n');
      if (this.texts[at]?.includes(wanted)) found.push(at);
    }
    return found;
  }

  private async sort(found: number[], column: string, sign: number, slices: TimeSlices): Promise<number[]> {
    const keys = await this.keysOf(column, slices);
    const compareRows = (one: number, other: number) => compareSortKeys(keys[one], keys[other], sign);
    // Merge sort: the browser’s own sort of all rows would be one long step.
    let sorted: number[][] = [];
    for (let at = 0; at < found.length; at += ROWS_PER_SLICE) {
      if (slices.isOver) await slices.next();
      sorted.push(found.slice(at, at + ROWS_PER_SLICE).sort(compareRows));
    }
    while (sorted.length > 1) {
      const merged: number[][] = [];
      for (let at = 0; at < sorted.length; at += 2)
        merged.push(await mergeSortedRows(sorted[at] ?? [], sorted[at + 1] ?? [], compareRows, slices));
      sorted = merged;
    }
    return sorted[0] ?? [];
  }

  private async keysOf(column: string, slices: TimeSlices): Promise<SortableKey[]> {
    const known = this.keys.get(column);
    if (known) return known;
    const keys: SortableKey[] = [];
    for (const [at, row] of this.rows.entries()) {
      if (at % ROWS_PER_SLICE === 0 && slices.isOver) await slices.next();
      keys.push(toSortableKey(cellValue(row, column)));
    }
    this.keys.set(column, keys);
    return keys;
  }
}

/** Stable: equal rows of the first list come first. */
async function mergeSortedRows(
  one: readonly number[],
  other: readonly number[],
  compareRows: (one: number, other: number) => number,
  slices: TimeSlices,
): Promise<number[]> {
  const merged: number[] = [];
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    if (merged.length % ROWS_PER_SLICE === 0 && slices.isOver) await slices.next();
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
