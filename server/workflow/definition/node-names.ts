import type { WorkflowNode } from '@/contract/workflows/workflow';

/** The nodes of a graph and of those around it, by their names on the canvas. */
export interface NodeNames {
  ids: Readonly<Record<string, string>>;
  byId: ReadonlyMap<string, string>;
}

/** The names of nodes, with those of the graphs around them, which the own ones hide. */
export function nameNodes(nodes: readonly WorkflowNode[], outer: NodeNames | undefined): NodeNames {
  const named = nodes.map(({ id, name }) => [id, name ?? id] as const);
  return {
    ids: { ...outer?.ids, ...Object.fromEntries(named.map(([id, name]) => [name, id])) },
    byId: new Map([...(outer?.byId ?? []), ...named]),
  };
}
