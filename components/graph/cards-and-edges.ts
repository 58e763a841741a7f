import type { Edge, Node as FlowNode, XYPosition } from '@xyflow/react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { CARD_SIZE, buildCardHandles, cardHeightForOutputs } from './layout/card';
import type { ConnectionRoute, ConnectionRoutes } from './layout/route';
import { nodeTitle } from './summary';

/**
 * From this number of nodes on, only visible nodes are rendered. With fewer, mounting cards while panning costs more
 * than keeping all.
 */
export const MAX_RENDERED_NODES = 300;

/** Node types by name. */
export type NodeTypesByName = ReadonlyMap<string, NodeTypeDescription>;

export type NodeCardData = {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  outputs: string[];
  /** The outputs without a connection. */
  openOutputs: string[];
  hasErrorPath: boolean;
};
/** `isPictured`: the picture of the overview shows it, so React Flow hides it. */
export type NodeCardItem = FlowNode<NodeCardData, 'card'> & { isPictured?: true };
/** `route`: the way around cards; absent: the connection is drawn directly. */
export type CanvasEdge = Edge<{ connection: NodeConnection; route?: ConnectionRoute }, 'connection'>;

export const indexNodeTypes = (types: NodeTypeDescription[]): NodeTypesByName =>
  new Map(types.map((type) => [type.type, type]));

/** The identity of a connection: the ports that it connects. */
export const connectionId = (connection: NodeConnection) =>
  JSON.stringify([connection.sourceNode, connection.sourcePort, connection.targetNode, connection.targetPort]);

/** Outgoing connections by node. */
export function connectionsBySource(definition: WorkflowDefinition): Map<string, NodeConnection[]> {
  const leaving = new Map<string, NodeConnection[]>();
  for (const connection of definition.connections) {
    const others = leaving.get(connection.sourceNode);
    if (others) others.push(connection);
    else leaving.set(connection.sourceNode, [connection]);
  }
  return leaving;
}

/** The output ports of a node without `error`: those named by its config, then the fixed ones. */
export function outputPorts(
  node: WorkflowNode,
  kind: NodeTypeDescription | undefined,
  used: NodeConnection[],
): string[] {
  if (!kind) return [...new Set(['output', ...used.map((c) => c.sourcePort)])].filter((port) => port !== 'error');
  const named = kind.ports.dynamicOutputs ? node.config[kind.ports.dynamicOutputs] : undefined;
  const dynamic = Array.isArray(named) ? named.flatMap(readPortName) : [];
  return [...new Set([...dynamic, ...kind.ports.outputs])].filter((port) => port !== 'error');
}

const readPortName = (entry: unknown): string[] =>
  typeof entry === 'object' && entry !== null && 'port' in entry && typeof entry.port === 'string' && entry.port
    ? [entry.port]
    : [];

/**
 * The nodes as React Flow cards; a node that is `drawnAs` another is hidden. Cards of unchanged nodes keep their
 * identity, so that only changed cards render again; measured size and selection are always kept. Among many, the cards
 * have computed sizes and handles, because those that are not rendered are not measured.
 */
export function buildNodeCards(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  drawnAs: (nodeId: string) => string,
  previous: NodeCardItem[] = [],
): NodeCardItem[] {
  const before = new Map(previous.map((card) => [card.id, card]));
  const leaving = connectionsBySource(definition);
  const areMany = definition.nodes.length > MAX_RENDERED_NODES;
  return definition.nodes.map((node) => {
    const kind = catalogue.get(node.type);
    const used = leaving.get(node.id) ?? [];
    const hasErrorPath = used.some((connection) => connection.sourcePort === 'error');
    const outputs = outputPorts(node, kind, used);
    const openOutputs = outputs.filter((port) => !used.some((connection) => connection.sourcePort === port));
    const old = before.get(node.id);
    const hidden = drawnAs(node.id) !== node.id;
    if (
      old &&
      old.data.node === node &&
      old.data.kind === kind &&
      old.data.hasErrorPath === hasErrorPath &&
      old.data.openOutputs.join('\n') === openOutputs.join('\n') &&
      (old.hidden ?? false) === hidden &&
      isSamePosition(old.position, node.position)
    )
      return old;
    const data = { node, kind, outputs, openOutputs, hasErrorPath };
    const look = { position: node.position, hidden, ariaLabel: nodeTitle(node, kind) };
    const size = areMany && {
      measured: { width: CARD_SIZE.width, height: cardHeightForOutputs(outputs.length) },
      handles: buildCardHandles(kind?.ports.inputs ?? ['input'], outputs),
    };
    return { ...old, id: node.id, type: 'card', data, ...look, ...(size || { handles: undefined }) };
  });
}

const isSamePosition = (a: XYPosition, b: XYPosition) => a.x === b.x && a.y === b.y;

/** The connections as React Flow edges; those of a node that is `drawnAs` another attach there. */
export function buildCanvasEdges(
  definition: WorkflowDefinition,
  drawnAs: (nodeId: string) => string,
  previous: CanvasEdge[] = [],
  routes: ConnectionRoutes = new Map(),
): CanvasEdge[] {
  const before = new Map(previous.map((edge) => [edge.id, edge]));
  return definition.connections.flatMap((connection): CanvasEdge[] => {
    const id = connectionId(connection);
    const old = before.get(id);
    const [source, target] = [drawnAs(connection.sourceNode), drawnAs(connection.targetNode)];
    if (source === target) return [];
    const route = routes.get(connectionId({ ...connection, sourceNode: source, targetNode: target }));
    const isSame = old && old.source === source && old.target === target;
    if (isSame && JSON.stringify(old.data?.route) === JSON.stringify(route)) return [old];
    const sourceHandle = source === connection.sourceNode ? connection.sourcePort : 'output';
    const targetHandle = target === connection.targetNode ? connection.targetPort : 'input';
    return [
      { ...old, id, type: 'connection', source, sourceHandle, target, targetHandle, data: { connection, route } },
    ];
  });
}
