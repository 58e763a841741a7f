import type { Edge, Node as FlowNode, XYPosition } from '@xyflow/react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { CARD, handlesOf, heightFor } from './layout/card';
import type { Route, Routes } from './layout/route';
import { nodeTitle } from './summary';

/**
 * From this number of nodes on, only visible nodes are rendered. With fewer, mounting cards while panning costs more than
 * keeping all.
 */
export const MANY = 300;

/** Node types by name. */
export type Catalogue = ReadonlyMap<string, NodeType>;

export type CardData = {
  node: Node;
  kind: NodeType | undefined;
  outputs: string[];
  /** The outputs without a connection. */
  openOutputs: string[];
  hasErrorPath: boolean;
};
/** `isPictured`: the picture of the overview shows it, so React Flow hides it. */
export type Card = FlowNode<CardData, 'card'> & { isPictured?: true };
/** `route`: the way around cards; absent: the connection is drawn directly. */
export type FlowEdge = Edge<{ connection: Connection; route?: Route }, 'connection'>;

export const catalogueOf = (types: NodeType[]): Catalogue => new Map(types.map((type) => [type.type, type]));

/** The identity of a connection: the ports that it connects. */
export const connectionId = (connection: Connection) =>
  JSON.stringify([connection.sourceNode, connection.sourcePort, connection.targetNode, connection.targetPort]);

/** Outgoing connections by node. */
export function bySource(definition: Definition): Map<string, Connection[]> {
  const leaving = new Map<string, Connection[]>();
  for (const connection of definition.connections) {
    const others = leaving.get(connection.sourceNode);
    if (others) others.push(connection);
    else leaving.set(connection.sourceNode, [connection]);
  }
  return leaving;
}

/** The output ports of a node without `error`: those named by its config, then the fixed ones. */
export function outputPorts(node: Node, kind: NodeType | undefined, used: Connection[]): string[] {
  if (!kind) return [...new Set(['output', ...used.map((c) => c.sourcePort)])].filter((port) => port !== 'error');
  const named = kind.ports.dynamicOutputs ? node.config[kind.ports.dynamicOutputs] : undefined;
  const dynamic = Array.isArray(named) ? named.flatMap(portOf) : [];
  return [...new Set([...dynamic, ...kind.ports.outputs])].filter((port) => port !== 'error');
}

const portOf = (entry: unknown): string[] =>
  typeof entry === 'object' && entry !== null && 'port' in entry && typeof entry.port === 'string' && entry.port
    ? [entry.port]
    : [];

/**
 * The nodes as React Flow cards; a node that is `drawnAs` another is hidden. Cards of unchanged nodes keep their
 * identity, so that only changed cards render again; measured size and selection are always kept. Among many, the cards
 * have computed sizes and handles, because those that are not rendered are not measured.
 */
export function cardsOf(
  definition: Definition,
  catalogue: Catalogue,
  drawnAs: (nodeId: string) => string,
  previous: Card[] = [],
): Card[] {
  const before = new Map(previous.map((card) => [card.id, card]));
  const leaving = bySource(definition);
  const areMany = definition.nodes.length > MANY;
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
      samePlace(old.position, node.position)
    )
      return old;
    const data = { node, kind, outputs, openOutputs, hasErrorPath };
    const look = { position: node.position, hidden, ariaLabel: nodeTitle(node, kind) };
    const size = areMany && {
      measured: { width: CARD.width, height: heightFor(outputs.length) },
      handles: handlesOf(kind?.ports.inputs ?? ['input'], outputs),
    };
    return { ...old, id: node.id, type: 'card', data, ...look, ...(size || { handles: undefined }) };
  });
}

const samePlace = (a: XYPosition, b: XYPosition) => a.x === b.x && a.y === b.y;

/** The connections as React Flow edges; those of a node that is `drawnAs` another attach there. */
export function edgesOf(
  definition: Definition,
  drawnAs: (nodeId: string) => string,
  previous: FlowEdge[] = [],
  routes: Routes = new Map(),
): FlowEdge[] {
  const before = new Map(previous.map((edge) => [edge.id, edge]));
  return definition.connections.flatMap((connection): FlowEdge[] => {
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
