import type { N8nNode } from '../../file';
import { groupLinksByEnd, reachableIds, type NodeLink } from '../../node-links';
import { shortNodeType } from '../../starts/convert-trigger';

/** Loops over items that one level may have. */
const MAX_LOOPS_PER_LEVEL = 100;

export const isLoopNode = ({ type }: N8nNode): boolean => shortNodeType(type) === 'splitInBatches';

/** The output of a loop that leads into its body. Before the third version they were the other way round. */
export const loopBodyOutput = ({ version }: N8nNode): number => (version >= 3 ? 1 : 0);

/**
 * The ids of the nodes inside each loop: those after its body output that lead back to it, or to nothing outside the
 * loop.
 */
export function findLoopBodies(
  ids: readonly string[],
  links: readonly NodeLink[],
  nodes: ReadonlyMap<string, N8nNode>,
): Map<string, Set<string>> {
  const known = new Set(ids);
  const [outgoing, incoming] = [groupLinksByEnd(links, 'from'), groupLinksByEnd(links, 'to')];
  const others = (all: readonly NodeLink[] | undefined, end: 'from' | 'to', loop: string) =>
    (all ?? []).map((link) => link[end]).filter((one) => one !== loop && known.has(one));
  const loops = ids.flatMap((id) => {
    const node = nodes.get(id);
    return node && isLoopNode(node) ? [{ id, into: loopBodyOutput(node) }] : [];
  });
  const bodies = loops.slice(0, MAX_LOOPS_PER_LEVEL).map(({ id, into }) => {
    const own = outgoing.get(id) ?? [];
    const after = (from: string) => others(outgoing.get(from), 'to', id);
    const behind = (isInto: boolean) =>
      others(
        own.filter(({ output }) => (output === into) === isInto),
        'to',
        id,
      );
    const forward = reachableIds(behind(true), after);
    const last = others(incoming.get(id), 'from', id).filter((from) => forward.has(from));
    const backward = reachableIds(last, (to) =>
      others(incoming.get(to), 'from', id).filter((from) => forward.has(from)),
    );
    const done = reachableIds(behind(false), after);
    return { id, body: [...forward].filter((one) => backward.has(one) || !done.has(one)) };
  });
  const found = new Map<string, Set<string>>();
  const taken = new Set<string>();
  // Outer loops come first; those inside of them belong to the next level.
  for (const { id, body } of bodies.toSorted((a, b) => b.body.length - a.body.length)) {
    const own = body.filter((one) => !taken.has(one) && !found.has(one));
    if (taken.has(id) || own.length === 0) continue;
    found.set(id, new Set(own));
    for (const one of own) taken.add(one);
  }
  return found;
}
