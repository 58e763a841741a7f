import type { N8nConnection, N8nNode } from './file';

/** A connection by the ids of its nodes. */
export interface NodeLink {
  from: string;
  output: number;
  to: string;
  input: number;
}

/** Connections by names of nodes as links by their ids. */
export const linkNodeIds = (
  connections: readonly N8nConnection[],
  ids: ReadonlyMap<string, string>,
  nodes: ReadonlyMap<string, N8nNode>,
): NodeLink[] =>
  connections.flatMap(({ from, output, to, input }): NodeLink[] => {
    const [source, target] = [ids.get(from), ids.get(to)];
    const isOff = (id: string | undefined) => id !== undefined && nodes.get(id)?.isDisabled === true;
    // A node that is switched off passes on what comes in at its first input, by its first output.
    const isPassed = !(input > 0 && isOff(target)) && !(output > 0 && isOff(source));
    return source && target && isPassed ? [{ from: source, output, to: target, input }] : [];
  });

/** Links by one of their ends. */
export function groupLinksByEnd(links: readonly NodeLink[], end: 'from' | 'to'): Map<string, NodeLink[]> {
  const found = new Map<string, NodeLink[]>();
  for (const link of links) {
    const own = found.get(link[end]);
    if (own) own.push(link);
    else found.set(link[end], [link]);
  }
  return found;
}

/** All ids that can be reached through `next`, including the first ones. */
export function reachableIds(first: Iterable<string>, next: (id: string) => Iterable<string>): Set<string> {
  const found = new Set(first);
  // A Set also iterates over elements that are added meanwhile.
  for (const id of found) for (const other of next(id)) found.add(other);
  return found;
}

/** A link of each output that links begin at. */
export const listLinkOutputs = (links: readonly NodeLink[]): NodeLink[] => [
  ...new Map(links.map((link) => [`${link.from} ${link.output}`, link])).values(),
];

/** The links without those that close a circle, and the ids in an order in which each follows what it needs. */
export function sortWithoutCycles(
  ids: readonly string[],
  links: readonly NodeLink[],
): { order: string[]; kept: NodeLink[]; cut: NodeLink[] } {
  const outgoing = groupLinksByEnd(links, 'from');
  const state = new Map<string, 'open' | 'done'>();
  const order: string[] = [];
  const cut = new Set<NodeLink>();
  for (const root of ids) {
    if (state.has(root)) continue;
    // The traversal has its own stack, because a long chain would overflow the call stack.
    const stack = [{ id: root, next: 0 }];
    state.set(root, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1);
      if (!top) break;
      const link = outgoing.get(top.id)?.[top.next];
      top.next += 1;
      if (!link) {
        state.set(top.id, 'done');
        order.push(top.id);
        stack.pop();
      } else if (state.get(link.to) === 'open') cut.add(link);
      else if (!state.has(link.to)) {
        state.set(link.to, 'open');
        stack.push({ id: link.to, next: 0 });
      }
    }
  }
  return { order: order.toReversed(), kept: links.filter((link) => !cut.has(link)), cut: [...cut] };
}
