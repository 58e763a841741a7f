import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findNodeType } from '@/server/workflow/nodes';

/**
 * The distance of columns and rows in canvas pixels. A simple grid is enough, because the editor can lay out the whole
 * canvas.
 */
const GRID_PITCH = { x: 320, y: 140 };

type UnplacedNode = Omit<WorkflowNode, 'position'> & { position?: WorkflowNode['position'] };
export interface UnplacedGraph {
  nodes: UnplacedNode[];
  connections: NodeConnection[];
}

const isObjectLiteral = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value can be an inner definition as a model writes it. It may be invalid in other ways. */
function isUnplacedGraph(value: unknown): value is UnplacedGraph {
  if (!isObjectLiteral(value)) return false;
  const { nodes, connections } = value;
  return [nodes, connections].every((list) => Array.isArray(list) && list.every(isObjectLiteral));
}

/**
 * Gives every node a position. Nodes that were there before keep theirs; the others stand to the right of the nodes
 * that lead to them. The inner definitions of loops are placed in the same way.
 */
export function placeNodes(
  { nodes, connections }: UnplacedGraph,
  before: WorkflowDefinition | undefined,
): WorkflowDefinition {
  const old = new Map(before?.nodes.map((node) => [node.id, node]));
  const places = new Map([...old].map(([id, { position }]) => [id, position]));
  const taken = new Set([...places.values()].map(toGridCell));
  for (const { id } of sortBySources(nodes, connections)) {
    if (places.has(id)) continue;
    const sources = connections.flatMap(({ sourceNode, targetNode }) =>
      targetNode === id ? (places.get(sourceNode) ?? []) : [],
    );
    const x = sources.length > 0 ? Math.max(...sources.map((source) => source.x)) + GRID_PITCH.x : 0;
    let y = sources.length > 0 ? Math.min(...sources.map((source) => source.y)) : 0;
    while (taken.has(toGridCell({ x, y }))) y += GRID_PITCH.y;
    taken.add(toGridCell({ x, y }));
    places.set(id, { x, y });
  }
  return {
    nodes: nodes.map((node) => ({
      ...node,
      position: places.get(node.id) ?? { x: 0, y: 0 },
      config: placeBodyNodes(node, old.get(node.id)),
    })),
    connections,
  };
}

const toGridCell = ({ x, y }: WorkflowNode['position']) =>
  `${Math.round(x / GRID_PITCH.x)} ${Math.round(y / GRID_PITCH.y)}`;

/** Places the nodes in the body of a loop. The config may be missing, because models leave out an empty one. */
function placeBodyNodes(
  { type, config = {} }: Partial<UnplacedNode>,
  before: WorkflowNode | undefined,
): WorkflowNode['config'] {
  const field = findNodeType(type ?? '')?.inner;
  const body = field === undefined ? undefined : config[field];
  if (field === undefined || !isUnplacedGraph(body)) return config;
  const old = before?.config[field];
  return { ...config, [field]: placeNodes(body, isUnplacedGraph(old) ? (old as WorkflowDefinition) : undefined) };
}

/** The nodes in the order of the graph: sources before what follows them. Those in a cycle come last. */
function sortBySources(nodes: UnplacedNode[], connections: NodeConnection[]): UnplacedNode[] {
  const ordered = new Set<UnplacedNode>();
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
