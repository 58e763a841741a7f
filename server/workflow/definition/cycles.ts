interface IndexedEdge {
  index: number;
  source: string;
  target: string;
}

/** The first `most` edges that close a cycle, each with the nodes of the cycle. */
export function findCycles(edges: IndexedEdge[], most: number): { index: number; path: string[] }[] {
  const outgoing = new Map<string, IndexedEdge[]>();
  for (const { source } of edges) outgoing.set(source, []);
  for (const edge of edges) outgoing.get(edge.source)?.push(edge);
  const isDone = new Map<string, boolean>();
  const found: { index: number; path: string[] }[] = [];
  for (const root of outgoing.keys()) {
    if (isDone.has(root)) continue;
    // Depth first with an explicit stack: recursion over 2,000 nodes would be too deep.
    const path: { id: string; left: IndexedEdge[] }[] = [{ id: root, left: [...(outgoing.get(root) ?? [])] }];
    isDone.set(root, false);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const edge = top.left.pop();
      if (!edge) {
        isDone.set(top.id, true);
        path.pop();
      } else if (!isDone.has(edge.target)) {
        isDone.set(edge.target, false);
        path.push({ id: edge.target, left: [...(outgoing.get(edge.target) ?? [])] });
      } else if (isDone.get(edge.target) === false) {
        const ids = path.map(({ id }) => id);
        found.push({ index: edge.index, path: [...ids.slice(ids.indexOf(edge.target)), edge.target] });
        if (found.length >= most) return found;
      }
    }
  }
  return found;
}
