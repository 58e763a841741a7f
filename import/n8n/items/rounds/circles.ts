import { cutWellFormed, type N8nNode } from '../../file';
import { groupLinksByEnd, type NodeLink } from '../../node-links';

/** Nodes that lead back to one of them: `first`, by which alone their circle is entered. */
export interface NodeCircle {
  first: string;
  ids: ReadonlySet<string>;
  /** The links back to the first one. */
  back: readonly NodeLink[];
  /** The links inside of the circle that lead on. */
  inner: readonly NodeLink[];
  /** The links out of the circle. */
  exits: readonly NodeLink[];
}

/** Groups of nodes each of which leads to all others of its group, found by one traversal. */
function findStrongGroups(ids: readonly string[], outgoing: ReadonlyMap<string, readonly NodeLink[]>): string[][] {
  const place = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open = new Set<string>();
  const waiting: string[] = [];
  const groups: string[][] = [];
  const enter = (id: string) => {
    place.set(id, place.size);
    lowest.set(id, place.size - 1);
    waiting.push(id);
    open.add(id);
    return { id, next: 0 };
  };
  const lower = (id: string, value: number) => lowest.set(id, Math.min(lowest.get(id) ?? value, value));
  for (const root of ids) {
    if (place.has(root)) continue;
    // The traversal has its own stack, because a long chain would overflow the call stack.
    const stack = [enter(root)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const link = outgoing.get(top.id)?.[top.next];
      top.next += 1;
      if (link) {
        if (!place.has(link.to)) stack.push(enter(link.to));
        else if (open.has(link.to)) lower(top.id, place.get(link.to) ?? 0);
        continue;
      }
      stack.pop();
      const before = stack.at(-1);
      if (before) lower(before.id, lowest.get(top.id) ?? 0);
      if (lowest.get(top.id) !== place.get(top.id)) continue;
      const group = waiting.splice(waiting.lastIndexOf(top.id));
      for (const id of group) open.delete(id);
      groups.push(group);
    }
  }
  return groups;
}

/**
 * The circles of a graph that are entered at one input of one node, which all links back lead to as well. Others are
 * left out: they are no rounds.
 */
export function findCircles(ids: readonly string[], links: readonly NodeLink[]): NodeCircle[] {
  const known = new Set(ids);
  const own = links.filter(({ from, to }) => known.has(from) && known.has(to));
  const outgoing = groupLinksByEnd(own, 'from');
  const found: NodeCircle[] = [];
  for (const group of findStrongGroups(ids, outgoing)) {
    const inside = new Set(group);
    const inner = group.flatMap((id) => (outgoing.get(id) ?? []).filter(({ to }) => inside.has(to)));
    if (inner.length === 0) continue;
    const entering = links.filter(({ from, to }) => inside.has(to) && !inside.has(from));
    const [entry] = entering;
    const back = inner.filter(({ to }) => to === entry?.to);
    const isOne = [...entering, ...back].every(({ to, input }) => to === entry?.to && input === entry.input);
    if (!entry || !isOne) continue;
    const exits = links.filter(({ from, to }) => inside.has(from) && !inside.has(to));
    found.push({ first: entry.to, ids: inside, back, inner: inner.filter(({ to }) => to !== entry.to), exits });
  }
  return found;
}

/** The task of a node whose connection closes a circle that is entered at several nodes. */
export const describeCutLink = (to: N8nNode | undefined): string =>
  `Its connection back to “${cutWellFormed(to?.name ?? '', 60)}” is left out: use the node repeat.`;
