import type { N8nItem } from '../items';
import type { ItemScope } from '../item-scope';
import type { Parameters } from '../parameters';

/** Nodes that make items from one item. */
export const ITEM_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: Parameters, scope: ItemScope) => N8nItem | N8nItem[]>
> = {};

/** Nodes that decide by which output an item goes on. */
export const TEST_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: Parameters, scope: ItemScope) => unknown>
> = {};

/** Nodes that work on a whole list. */
export const LIST_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: Parameters, items: N8nItem[]) => N8nItem[]>
> = {};

/** Nodes that work on the lists of several inputs. */
export const MERGE_FUNCTIONS: Readonly<
  Record<string, (version: number, parameters: Parameters, lists: N8nItem[][]) => N8nItem[]>
> = {};
