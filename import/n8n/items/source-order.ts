import type { N8nNode } from '../file';
import { groupLinksByEnd, type NodeLink } from '../node-links';

/** Which of two links n8n follows first: from top to bottom, and from left to right. */
export const compareFollowed =
  (nodes: ReadonlyMap<string, N8nNode>) =>
  (one: NodeLink, other: NodeLink): number => {
    const [a, b] = [one, other].map(({ to }) => nodes.get(to)?.position ?? { x: 0, y: 0 });
    return a && b ? a.y - b.y || a.x - b.x : 0;
  };

/** The links out of a node in the order in which n8n follows them: of those to the same place the last one comes first. */
export const sortFollowed = (links: readonly NodeLink[], nodes: ReadonlyMap<string, N8nNode>): NodeLink[] =>
  links.toReversed().toSorted(compareFollowed(nodes));

/**
 * Links in the order in which n8n delivers what they carry: it follows a branch to its end before the next one, the one
 * with the uppermost and leftmost node first, and of the outputs of one node to the same place the last one first.
 */
export function orderSources(links: readonly NodeLink[], nodes: ReadonlyMap<string, N8nNode>): NodeLink[] {
  const outgoing = groupLinksByEnd(links, 'from');
  const targets = new Set(links.map(({ to }) => to));
  const visited = new Set<string>();
  const ordered: NodeLink[] = [];
  // The stack holds what is left of each node that is being followed: a long chain would overflow the call stack.
  for (const root of [...outgoing.keys()].filter((id) => !targets.has(id))) {
    const stack = [{ links: sortFollowed(outgoing.get(root) ?? [], nodes), next: 0 }];
    visited.add(root);
    while (stack.length > 0) {
      const top = stack.at(-1);
      const link = top?.links[top.next];
      if (!top || !link) {
        stack.pop();
        continue;
      }
      top.next += 1;
      ordered.push(link);
      if (visited.has(link.to)) continue;
      visited.add(link.to);
      stack.push({ links: sortFollowed(outgoing.get(link.to) ?? [], nodes), next: 0 });
    }
  }
  const isOrdered = new Set(ordered);
  return [...ordered, ...links.filter((link) => !isOrdered.has(link))];
}
