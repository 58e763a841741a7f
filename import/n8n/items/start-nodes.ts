import type { WorkflowNode } from '@/contract/workflows/workflow';
import { cutWellFormed, type N8nNode } from '../file';
import type { ConvertedTrigger } from '../starts/trigger';
import type { ItemNodes } from './item-conversion';
import { connectNodes } from './connect-nodes';
import type { NodeLink } from '../node-links';

/** What the names and ids of a start are made of. */
interface StartPlace {
  id: string;
  createId(name: string): string;
}

/** The start node of a trigger, and a node that makes n8n's fields of its input. */
export function convertStart(
  node: N8nNode,
  { names, shape }: Pick<ConvertedTrigger, 'names' | 'shape'>,
  { id, createId }: StartPlace,
  inputSchema?: Record<string, unknown>,
): ItemNodes {
  const name = cutWellFormed(node.name, 200);
  const start: WorkflowNode = {
    id,
    type: 'start',
    name,
    position: node.position,
    config: inputSchema ? { inputSchema } : {},
    ...(node.isDisabled ? { disabled: true } : {}),
  };
  if (names.size === 0 && shape === undefined) return asStartNodes(start);
  // The fields get the names that they have in n8n.
  const renamed = createId(`${id}_fields`);
  const fields = [...names].map(([theirs, ours]) => `${JSON.stringify(theirs)}: $json?.${ours.replaceAll('.', '?.')}`);
  const transform: WorkflowNode = {
    id: renamed,
    type: 'transform',
    name,
    position: { x: node.position.x + 160, y: node.position.y },
    config: { expression: shape ?? `({ ...input, ${fields.join(', ')} })` },
    each: shape === undefined ? {} : { flatten: true },
  };
  return {
    nodes: [{ ...start, name: cutWellFormed(`${name}: start`, 200) }, transform],
    connections: [connectNodes(id, renamed)],
    entries: [],
    outputs: [[{ node: renamed, port: 'output' }]],
  };
}

const asStartNodes = (start: WorkflowNode): ItemNodes => ({
  nodes: [start],
  connections: [],
  entries: [],
  outputs: [[{ node: start.id, port: 'output' }]],
});

/** The start of a workflow that no trigger starts, left of its nodes. */
export function createPlainStart(id: string, nodes: Iterable<N8nNode>): ItemNodes {
  const places = [...nodes].map(({ position }) => position);
  const position = { x: Math.min(0, ...places.map(({ x }) => x)) - 320, y: places[0]?.y ?? 0 };
  return asStartNodes({ id, type: 'start', name: 'Start', position, config: {} });
}

/** Links from a start to all nodes that nothing leads to, before the others. */
export function linkPlainStart(start: string, ids: Iterable<string>, links: readonly NodeLink[]): NodeLink[] {
  const targets = new Set(links.map(({ to }) => to));
  const first = [...ids].filter((id) => !targets.has(id));
  return [...first.map((to) => ({ from: start, output: 0, to, input: 0 })), ...links];
}
