import type { XYPosition } from '@xyflow/react';
import type { Definition, Node } from '@/contract/workflow';
import { freeId } from './edits';

/** Nodes and the connections among them, to be copied. Credentials stay at home. */
export function clipped(definition: Definition, ids: ReadonlySet<string>): Definition {
  const nodes = definition.nodes.filter((node) => ids.has(node.id)).map(({ credentialId: _, ...node }) => node);
  const connections = definition.connections.filter(
    ({ sourceNode, targetNode }) => ids.has(sourceNode) && ids.has(targetNode),
  );
  return { nodes, connections };
}

/** The same as text for the clipboard. */
export const clip = (definition: Definition, ids: ReadonlySet<string>): string =>
  JSON.stringify(clipped(definition, ids), null, 2);

/**
 * A definition out of a text: what `clip` wrote, a definition, or a whole workflow. Undefined: it is neither. The schemas
 * are loaded for the first text that could be one.
 */
export async function readClip(text: string): Promise<Definition | undefined> {
  try {
    const value: unknown = JSON.parse(text);
    const inner = typeof value === 'object' && value !== null && 'definition' in value ? value.definition : value;
    const { Definition: Whole } = await import('@/contract/workflow');
    const parsed = Whole.safeParse(inner);
    return parsed.success && parsed.data.nodes.length ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Adds copies of nodes under new ids, the whole group's corner `at` (else a little beside where they were). Expressions
 * that speak of a copied node speak of its copy.
 */
export function paste(definition: Definition, copied: Definition, at?: XYPosition) {
  const corner = {
    x: Math.min(...copied.nodes.map(({ position }) => position.x)),
    y: Math.min(...copied.nodes.map(({ position }) => position.y)),
  };
  const shift = at ? { x: at.x - corner.x, y: at.y - corner.y } : { x: 40, y: 40 };
  const renamed = new Map<string, string>();
  const grown = { ...definition, nodes: [...definition.nodes] };
  for (const node of copied.nodes) {
    const isFree = !grown.nodes.some(({ id }) => id === node.id);
    const id = isFree ? node.id : freeId(grown, node.type);
    renamed.set(node.id, id);
    grown.nodes.push({ ...node, id });
  }
  const ids = new Set(renamed.values());
  const nodes = grown.nodes.map((node): Node => {
    if (!ids.has(node.id)) return node;
    const { credentialId: _, ...bare } = node;
    const { x, y } = node.position;
    return {
      ...bare,
      position: { x: Math.round(x + shift.x), y: Math.round(y + shift.y) },
      config: respoken(node.config, renamed) as Node['config'],
    };
  });
  const connections = copied.connections.flatMap((wire) => {
    const [sourceNode, targetNode] = [renamed.get(wire.sourceNode), renamed.get(wire.targetNode)];
    return sourceNode && targetNode ? [{ ...wire, sourceNode, targetNode }] : [];
  });
  return {
    ids: [...ids],
    definition: { nodes, connections: [...definition.connections, ...connections] },
  };
}

/** The same value with `nodes.old` written as `nodes.new` in its texts. */
function respoken(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replace(/\bnodes\.(\w+)/g, (all, id: string) => `nodes.${renamed.get(id) ?? id}`);
  if (Array.isArray(value)) return value.map((item) => respoken(item, renamed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, respoken(inner, renamed)]));
}
