import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartBox, agentPartId, listAgentParts } from './agent-parts';
import { CARD_SIZE } from './layout/card';

/** All nodes upstream or downstream of these, including them. */
export function reachableNodeIds(
  definition: WorkflowDefinition,
  ids: readonly string[],
  direction: 'upstream' | 'downstream',
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { sourceNode, targetNode } of definition.connections) {
    const [from, to] = direction === 'downstream' ? [sourceNode, targetNode] : [targetNode, sourceNode];
    next.set(from, [...(next.get(from) ?? []), to]);
  }
  const seen = new Set(ids);
  for (const id of seen) for (const following of next.get(id) ?? []) seen.add(following);
  return seen;
}

export type ArrowDirection = 'left' | 'right' | 'up' | 'down';

/** The definition with the parts of agents as nodes, so that arrow keys reach them. */
export function addPartsToWalk(definition: WorkflowDefinition): WorkflowDefinition {
  const parts = definition.nodes.flatMap((node) =>
    listAgentParts(node).map((part, line): WorkflowNode => {
      const { y } = agentPartBox(node.position, CARD_SIZE.height, line);
      // At the edge of the agent, so that the arrows up and down stay in its column.
      return { id: agentPartId(node.id, part), type: 'agentPart', position: { x: node.position.x, y }, config: {} };
    }),
  );
  return parts.length > 0 ? { ...definition, nodes: [...definition.nodes, ...parts] } : definition;
}

/** The target of an arrow key: left and right follow connections, otherwise the nearest card in that direction. */
export function findNeighbourId(definition: WorkflowDefinition, id: string, arrow: ArrowDirection): string | undefined {
  const here = definition.nodes.find((node) => node.id === id);
  if (!here) return definition.nodes[0]?.id;
  const along = definition.connections.flatMap(({ sourceNode, targetNode }) => {
    if (arrow === 'right' && sourceNode === id) return [targetNode];
    return arrow === 'left' && targetNode === id ? [sourceNode] : [];
  });
  const linked = definition.nodes.filter((node) => along.includes(node.id));
  const candidates = linked.length ? linked : definition.nodes.filter((node) => liesInDirection(here, node, arrow));
  return candidates.sort((a, b) => weightedDistance(here, a, arrow) - weightedDistance(here, b, arrow))[0]?.id;
}

function liesInDirection({ position: a }: WorkflowNode, { position: b }: WorkflowNode, arrow: ArrowDirection): boolean {
  switch (arrow) {
    case 'left':
      return b.x < a.x;
    case 'right':
      return b.x > a.x;
    case 'up':
      return b.y < a.y;
    case 'down':
      return b.y > a.y;
  }
}

/** The distance between two cards. The part across the direction counts double. */
function weightedDistance({ position: a }: WorkflowNode, { position: b }: WorkflowNode, arrow: ArrowDirection): number {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
  return arrow === 'left' || arrow === 'right' ? dx + 2 * dy : 2 * dx + dy;
}
