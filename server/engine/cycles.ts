interface Edge {
  index: number;
  source: string;
  target: string;
}

/** The edges that close a circle, each with the nodes around it. Without them the graph has none. */
export function cycles(edges: Edge[]): { index: number; path: string[] }[] {
  const outgoing = new Map<string, Edge[]>();
  for (const { source } of edges) outgoing.set(source, []);
  for (const edge of edges) outgoing.get(edge.source)?.push(edge);
  const isDone = new Map<string, boolean>();
  const found: { index: number; path: string[] }[] = [];
  for (const root of outgoing.keys()) {
    if (isDone.has(root)) continue;
    // Depth first, by hand: a chain of 2,000 nodes is no reason to nest 2,000 calls.
    const path: { id: string; left: Edge[] }[] = [{ id: root, left: [...(outgoing.get(root) ?? [])] }];
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
      }
    }
  }
  return found;
}
