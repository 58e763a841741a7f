import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { kindOf } from '@/server/nodes';

/** Distance of columns and rows in canvas pixels. The editor can lay out the whole canvas. */
const PITCH = { x: 320, y: 140 };

type Unplaced = Omit<Node, 'position'> & { position?: Node['position'] };
export interface UnplacedGraph {
  nodes: Unplaced[];
  connections: Connection[];
}

const isBag = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value can be an inner definition as a model writes it. It may be invalid in other ways. */
function isGraph(value: unknown): value is UnplacedGraph {
  if (!isBag(value)) return false;
  const { nodes, connections } = value;
  return [nodes, connections].every((list) => Array.isArray(list) && list.every(isBag));
}

/**
 * A definition in which every node has a place: nodes that were there before keep theirs, the others follow the nodes that lead to them,
 * from left to right. The same for the inner definitions of loops.
 */
export function placed({ nodes, connections }: UnplacedGraph, before: Definition | undefined): Definition {
  const old = new Map(before?.nodes.map((node) => [node.id, node]));
  const places = new Map([...old].map(([id, { position }]) => [id, position]));
  const taken = new Set([...places.values()].map(cellOf));
  for (const { id } of inOrder(nodes, connections)) {
    if (places.has(id)) continue;
    const sources = connections.flatMap(({ sourceNode, targetNode }) =>
      targetNode === id ? (places.get(sourceNode) ?? []) : [],
    );
    const x = sources.length > 0 ? Math.max(...sources.map((source) => source.x)) + PITCH.x : 0;
    let y = sources.length > 0 ? Math.min(...sources.map((source) => source.y)) : 0;
    while (taken.has(cellOf({ x, y }))) y += PITCH.y;
    taken.add(cellOf({ x, y }));
    places.set(id, { x, y });
  }
  return {
    nodes: nodes.map((node) => ({
      ...node,
      position: places.get(node.id) ?? { x: 0, y: 0 },
      config: withPlacedBody(node, old.get(node.id)),
    })),
    connections,
  };
}

const cellOf = ({ x, y }: Node['position']) => `${Math.round(x / PITCH.x)} ${Math.round(y / PITCH.y)}`;

/** Models leave out an empty config. */
function withPlacedBody({ type, config = {} }: Partial<Unplaced>, before: Node | undefined): Node['config'] {
  const field = kindOf(type ?? '')?.inner;
  const body = field === undefined ? undefined : config[field];
  if (field === undefined || !isGraph(body)) return config;
  const old = before?.config[field];
  return { ...config, [field]: placed(body, isGraph(old) ? (old as Definition) : undefined) };
}

/** The nodes in the order of the graph: sources before what follows them. Those in a cycle come last. */
function inOrder(nodes: Unplaced[], connections: Connection[]): Unplaced[] {
  const ordered = new Set<Unplaced>();
  let rest = nodes;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ id }) => id));
    const blocked = new Set(
      connections.flatMap(({ sourceNode, targetNode }) =>
        waiting.has(sourceNode) && sourceNode !== targetNode ? [targetNode] : [],
      ),
    );
    const ready = rest.filter(({ id }) => !blocked.has(id));
    for (const node of ready.length > 0 ? ready : rest) ordered.add(node);
    rest = ready.length > 0 ? rest.filter((node) => !ordered.has(node)) : [];
  }
  return [...ordered];
}
