import { nodeIn, type Graph } from '@/server/workflow/graph';

const ROUND = /^\[\d+\]\./;

/** What the editor calls the node of a path such as `loop[3].inner`. Undefined: the version has no such node. */
export function nameAt(graph: Graph | undefined, path: string): string | undefined {
  const own = graph && nodeIn(graph, path);
  if (own) return own.node.name || own.kind?.title || own.node.type;
  for (const { id, body } of graph?.nodes ?? []) {
    const round = body && path.startsWith(id) ? ROUND.exec(path.slice(id.length)) : null;
    const name = round && nameAt(body, path.slice(id.length + round[0].length));
    if (name) return name;
  }
  return undefined;
}
