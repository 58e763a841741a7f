import { isLargeJson } from '@/server/evaluation/expressions/large-json';
import type { EvaluationScope } from '@/server/evaluation/expressions/scope';
import { loadPortShare } from '../../store/port-shares';
import { offloadedItemBytes, readLoopRounds, takenPortShares, type NodeStateReader } from '../../store/state';
import { findDeliveries, findItemInstance, toRoundInput, type NodeInstance } from '../graph-scope';
import type { ItemPairing } from '../../attempt/context';
import type { LoadedValues } from './offloaded-values';

/** The names of an item in expressions. */
export type ItemScope = Pick<EvaluationScope, 'item' | 'index' | 'items' | 'paired'>;

/** The shares of single ports, by the path of their node and by port. */
export type LoadedShares = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** The instance, with the item that its holder, which it is or belongs to, gets. */
export function withRoundItem(instance: NodeInstance, holder: NodeInstance, item: unknown): NodeInstance {
  const { graphScope } = instance;
  const { owner, index } = graphScope;
  if (!owner) return instance;
  const changed =
    instance === holder
      ? { ...graphScope, input: toRoundInput(owner.graphNode, item, index) }
      : { ...graphScope, owner: withRoundItem(owner, holder, item) };
  return { ...instance, graphScope: changed };
}

/** The shares of the ports that deliver to a node, of large lists that were loaded. */
export async function loadPortShares(
  { graphNode, graphScope: { prefix } }: NodeInstance,
  states: NodeStateReader,
  { outputs }: LoadedValues,
): Promise<LoadedShares> {
  const found = new Map<string, Map<string, unknown>>();
  for (const { state, port } of findDeliveries(graphNode, states, prefix)) {
    const output = outputs.get(state.path);
    const shares = takenPortShares(state);
    if (!shares || !isLargeJson(output)) continue;
    const byPort = found.get(state.path) ?? new Map<string, unknown>();
    found.set(state.path, byPort.set(port, await loadPortShare(output, shares, port)));
  }
  return found;
}

/** An item that is not in memory. `holder`: the node that gets it. */
interface OffloadedItem {
  holder: NodeInstance;
  loop: string;
  index: number;
  /** Characters of all items of the loop. */
  bytes: number;
}

/** The item of the round that a node is in, or is a part in, if the loop's items are not in memory. */
export function findOffloadedItem(instance: NodeInstance, states: NodeStateReader): OffloadedItem | null {
  for (const holder of [instance, findItemInstance(instance)]) {
    const { owner, index } = holder?.graphScope ?? {};
    const bytes = holder?.graphNode.isRoot && owner ? offloadedItemBytes(states.get(owner.path)) : null;
    if (holder && owner && bytes !== null) return { holder, loop: owner.path, index: index ?? 0, bytes };
  }
  return null;
}

/** What the expressions of a node read of its item. `loadedItems`: the list, if it was not in memory. */
export function readItemScope(
  instance: NodeInstance,
  states: NodeStateReader,
  loadedItems: unknown,
  pairing: ItemPairing | undefined,
): ItemScope | undefined {
  const { owner, input, index } = findItemInstance(instance)?.graphScope ?? {};
  if (!owner || index === undefined) return pairing && !instance.graphNode.each ? { paired: pairing(0) } : undefined;
  const items = readLoopRounds(states.get(owner.path))?.items ?? loadedItems;
  return { item: input, index, items, ...(pairing && { paired: pairing(index) }) };
}
