import { CodeBuffer } from './buffer';
import { showAsEngineOfN8n } from './engine';
import { callExtension } from './extensions';
import { evaluateLeniently, isShownFailure, PreludeFailure } from './failure';
import { readReturnedItems, writeItem, writeItemList, type N8nItem } from './items';
import type { N8nItemScope } from './item-scope';
import { requireModule } from './modules';
import { createNames } from './names';
import { writeAsText } from './parameters';
import type { RealmData } from './realm-data';

showAsEngineOfN8n();

/** The names of n8n for an expression. */
export const createExpressionNames = (data: RealmData): Record<string, unknown> => {
  const { names } = createNames(data);
  Object.defineProperty(names, '$extend', { value: callExtension });
  return names;
};

export { evaluateLeniently, writeAsText };

/** The names of n8n for code, and how what it returns becomes the output of the node. */
export function createCodeNames(data: RealmData): {
  names: Record<string, unknown>;
  finish(value: unknown): unknown;
} {
  const { names, scope } = createNames(data);
  Object.assign(names, { Buffer: CodeBuffer, require: requireModule });
  const calls = names['n8n'] as Record<string, unknown>;
  let isForEach = false;
  calls['forEachItem'] = async (run: () => Promise<unknown>) => {
    isForEach = true;
    return runForEachItem(scope, run);
  };
  calls['lackName'] = lackName;
  const finish = (value: unknown): unknown => {
    if (isForEach) return writeItemList(value as N8nItem[], scope.items.length);
    const items = readReturnedItems(value);
    if (!items) throw new PreludeFailure('Code has to return items: an object, or a list of objects');
    const [only] = items;
    // A single item that does not say where it is from belongs to the first one.
    const traced = only && items.length === 1 ? [{ ...only, pairedItem: only.pairedItem ?? 0 }] : items;
    return writeItemList(traced, scope.items.length);
  };
  return { names, finish };
}

/** Lets a name that code of n8n does not have either fail with the text that it has there. */
function lackName(name: string): void {
  const get = () => {
    throw new ReferenceError(`${name} is not defined`);
  };
  Object.defineProperty(globalThis, name, { get, configurable: true });
}

/** What code that runs for each item returns, with the items that it came from. */
async function runForEachItem(scope: N8nItemScope, run: () => Promise<unknown>): Promise<N8nItem[]> {
  const made: N8nItem[] = [];
  for (const index of scope.isForOneItem ? [scope.index] : scope.items.keys()) {
    scope.moveTo(index);
    const items = readReturnedItems(await run());
    if (!items) throw new PreludeFailure('Code for each item has to return an object');
    for (const item of items) made.push({ ...item, pairedItem: index });
  }
  return made;
}

export { isShownFailure, writeItem };
