import type { N8nNode } from './file';
import { linksBy, reached, type Link } from './order';
import { shortType } from './starts/starts';

/** Loops over items that one level may have. */
const MAX_LOOPS = 100;

export const isLoop = ({ type }: N8nNode): boolean => shortType(type) === 'splitInBatches';

/** The output of a loop that leads into its body. Before the third version they were the other way round. */
export const loopOutput = ({ version }: N8nNode): number => (version >= 3 ? 1 : 0);

/** The ids inside of each loop over items: those behind its output that come back, or lead nowhere else. */
export function bodiesOf(
  ids: readonly string[],
  links: readonly Link[],
  nodes: ReadonlyMap<string, N8nNode>,
): Map<string, Set<string>> {
  const known = new Set(ids);
  const [outgoing, incoming] = [linksBy(links, 'from'), linksBy(links, 'to')];
  const others = (all: readonly Link[] | undefined, end: 'from' | 'to', loop: string) =>
    (all ?? []).map((link) => link[end]).filter((one) => one !== loop && known.has(one));
  const loops = ids.flatMap((id) => {
    const node = nodes.get(id);
    return node && isLoop(node) ? [{ id, into: loopOutput(node) }] : [];
  });
  const bodies = loops.slice(0, MAX_LOOPS).map(({ id, into }) => {
    const own = outgoing.get(id) ?? [];
    const after = (from: string) => others(outgoing.get(from), 'to', id);
    const behind = (isInto: boolean) =>
      others(
        own.filter(({ output }) => (output === into) === isInto),
        'to',
        id,
      );
    const forward = reached(behind(true), after);
    const last = others(incoming.get(id), 'from', id).filter((from) => forward.has(from));
    const backward = reached(last, (to) => others(incoming.get(to), 'from', id).filter((from) => forward.has(from)));
    const done = reached(behind(false), after);
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
