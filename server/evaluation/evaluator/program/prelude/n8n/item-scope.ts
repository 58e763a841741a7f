import { readItem, readItems, type N8nItem } from './items';
import type { RealmData } from './realm-data';

/** The items that come in, and the present one. */
export class N8nItemScope {
  private list: N8nItem[] | undefined;
  private moved: number | undefined;

  constructor(private readonly data: RealmData) {}

  /** Makes another item the present one, for code that runs for each. */
  moveTo(index: number): void {
    this.moved = index;
  }

  /** Takes other items than those that come in. */
  takeItems(items: N8nItem[]): void {
    this.list = items;
  }

  /** Leaves the first item alone. */
  keepFirst(): void {
    this.list = this.items.slice(0, 1);
  }

  /** Whether the service runs a program for each item. */
  get isForOneItem(): boolean {
    return this.data.item !== undefined;
  }

  get index(): number {
    return this.moved ?? this.data.index ?? 0;
  }

  get items(): N8nItem[] {
    const { items, item, input } = this.data;
    return (this.list ??= readItems(items ?? item ?? input));
  }

  get item(): N8nItem {
    if (this.moved === undefined && this.data.item !== undefined) return readItem(this.data.item);
    return this.items[this.index] ?? { json: {} };
  }
}
