import { findGraphNode, type WorkflowGraph } from '@/server/workflow/definition/graph';

const ROUND_PREFIX = /^\[\d+\]\./;

/**
 * Returns the name that the editor shows for the node at a path such as `loop[3].inner`. Undefined: the version has no
 * such node.
 */
export function nodeDisplayName(graph: WorkflowGraph | undefined, path: string): string | undefined {
  const own = graph && findGraphNode(graph, path);
  if (own) return own.definition.name || own.nodeType?.title || own.definition.type;
  for (const { id, body } of graph?.nodes ?? []) {
    const round = body && path.startsWith(id) ? ROUND_PREFIX.exec(path.slice(id.length)) : null;
    const name = round && nodeDisplayName(body, path.slice(id.length + round[0].length));
    if (name) return name;
  }
  return undefined;
}
