import { PreludeFailure } from './failure';
import { readItems, readReturnedItems, writeItem, writeItemList, type N8nItem } from './items';
import type { N8nItemScope } from './item-scope';
import { readJsonText } from './nodes/answers';
import { ITEM_FUNCTIONS, LIST_FUNCTIONS, MERGE_FUNCTIONS, TEST_FUNCTIONS } from './nodes';
import { joinText, type N8nParameters } from './parameters';
import { ROUND_CALLS } from './round-calls';

type AnyFunction = (...values: never[]) => unknown;

/** A failure of a node, whatever threw it. */
function withShownFailures<Given extends unknown[], Result>(compute: (...given: Given) => Result) {
  return (...given: Given): Result => {
    try {
      return compute(...given);
    } catch (error) {
      throw new PreludeFailure(error instanceof Error ? error.message : String(error));
    }
  };
}

/** The functions of data nodes, as the expressions of imported nodes call them. */
export function createNodeCalls(scope: N8nItemScope, paired: Record<string, unknown>): Record<string, unknown> {
  const calls: Record<string, AnyFunction> = {
    text: joinText,
    /** A decision that counts as “no” where it fails, for a node that goes on after errors. */
    orFalse: (decide: () => boolean): boolean => {
      try {
        return decide();
      } catch {
        return false;
      }
    },
    /** The outputs of a switch, or why there is none, for a node that goes on after errors. */
    routes: (decide: () => number[]): { outputs: number[]; error?: string } => {
      try {
        return { outputs: decide() };
      } catch (error) {
        return { outputs: [], error: error instanceof Error ? error.message : String(error) };
      }
    },
    json: withShownFailures(readJsonText),
    // A list that has no item gets an empty one.
    orEmpty: (list: { $items: unknown[]; $origins: unknown[] }) =>
      list.$items.length > 0 ? list : { $items: [{}], $origins: [0] },
    /** What code returns, or an empty item in place of none. */
    orEmptyItem: (value: unknown) =>
      value === undefined || value === null || (Array.isArray(value) && value.length === 0) ? [{}] : value,
    /** Leaves the first item alone, for what is computed or comes after it. */
    useFirstItem: (compute?: () => unknown) => {
      scope.keepFirst();
      return compute?.();
    },
    /** What a node makes of the first item, where it may read the others. */
    forFirstItem: (compute: () => unknown, givesEmpty: boolean) => {
      const made = scope.items.length === 0 ? [] : [compute()].flat();
      const items = made.length === 0 && givesEmpty ? [{}] : made;
      return { $items: items, $origins: items.map(() => 0) };
    },
    /** Takes the items of a node before it, where something else comes in. */
    useItems: (list: unknown) => scope.takeItems(readItems(list)),
    /** What code kept in the run before; an empty object at first. */
    keptData: (kept: unknown) => (typeof kept === 'object' && kept !== null && !Array.isArray(kept) ? kept : {}),
    /** What code returned, beside what it keeps. */
    withKept: (kept: unknown, value: unknown) => {
      const items = readReturnedItems(value);
      if (!items) throw new PreludeFailure('Code has to return items: an object, or a list of objects');
      return [{ json: { items: items.map(writeItem), kept } }];
    },
    /** The items of code that keeps data. */
    keptItems: (output: { items: unknown[] }[]) => {
      const [{ items } = { items: [] }] = output;
      return { $items: items, $origins: items.map(() => null) };
    },
    /** The present item has an error: the item that was given, with the error. */
    errorItem: (named?: string) => {
      // The items before it: that of the node that tests for errors, that of the node itself, and what came in there.
      const given = named === undefined ? Object.values(paired)[2] : paired[named];
      return { ...(typeof given === 'object' ? given : {}), ...scope.item.json };
    },
    /** The items in groups of a size. */
    batches: (size: number) => {
      const items = scope.items.map(writeItem);
      const count = Math.ceil(items.length / size);
      return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
    },
    ...ROUND_CALLS,
    /** The items of the first group of a size. */
    firstBatch: (size: number) => writeItemList(scope.items.slice(0, size), scope.items.length),
    /** An item whose error leaves by a port of its own. */
    hasError: (value: unknown) =>
      typeof value === 'object' && value !== null && Object.keys(value).length === 1 && 'error' in value,
  };
  for (const [name, call] of Object.entries(ITEM_FUNCTIONS)) {
    calls[name] = withShownFailures((version: number, parameters: N8nParameters) => {
      const made = call(version, parameters, scope);
      return Array.isArray(made) ? made.map(writeItem) : writeItem(made);
    });
  }
  for (const [name, call] of Object.entries(TEST_FUNCTIONS))
    calls[name] = withShownFailures((version: number, parameters: N8nParameters) => call(version, parameters, scope));
  for (const [name, call] of Object.entries(LIST_FUNCTIONS)) {
    calls[name] = withShownFailures((version: number, parameters: N8nParameters) =>
      writeItemList(call(version, parameters, scope.items), scope.items.length),
    );
  }
  for (const [name, call] of Object.entries(MERGE_FUNCTIONS)) {
    calls[name] = withShownFailures(
      (version: number, parameters: N8nParameters, outputs: unknown[], takesFirst = false) => {
        // The list that comes in has the lists of the inputs one behind another.
        let before = 0;
        const lists = outputs.map((output) => {
          const items = readItems(output).map((item, index) => ({ ...item, pairedItem: before + index }));
          before += items.length;
          return takesFirst ? items.slice(0, 1) : items;
        });
        const made: N8nItem[] = call(version, parameters, lists);
        const origins = made.map(({ pairedItem }) => (Number.isFinite(pairedItem) ? (pairedItem ?? null) : null));
        return { $items: made.map(writeItem), $origins: origins };
      },
    );
  }
  return calls;
}
