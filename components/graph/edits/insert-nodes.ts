import type { XYPosition } from '@xyflow/react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import {
  addNodeToDefinition,
  addConnection,
  connectionIssue,
  CARD_SPACING,
  removeConnections,
  removeNodes,
} from './edits';
import { outputPorts, connectionId, type NodeTypesByName } from '../cards-and-edges';
import { reachableNodeIds } from '../walk';

/** Half the size of a card. */
const HALF_CARD_SIZE = { x: 118, y: 30 };

/** The default output port of a node. */
const mainOutputPort = (node: WorkflowNode, catalogue: NodeTypesByName) =>
  outputPorts(node, catalogue.get(node.type), [])[0];
const mainInputPort = (node: WorkflowNode, catalogue: NodeTypesByName) =>
  (catalogue.get(node.type)?.ports.inputs ?? ['input'])[0];
const findNodeById = (definition: WorkflowDefinition, id: string) => definition.nodes.find((node) => node.id === id);

/** Connects two ports if allowed; otherwise returns the definition unchanged. */
const connectIfAllowed = (definition: WorkflowDefinition, catalogue: NodeTypesByName, connection: NodeConnection) =>
  connectionIssue(definition, catalogue, connection) === undefined ? addConnection(definition, connection) : definition;

/** Inserts an unconnected node on a connection. */
export function spliceNode(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  id: string,
  connection: NodeConnection,
): WorkflowDefinition {
  const node = findNodeById(definition, id);
  const input = node && mainInputPort(node, catalogue);
  const output = node && mainOutputPort(node, catalogue);
  if (input === undefined || output === undefined) return definition;
  if (id === connection.sourceNode || id === connection.targetNode) return definition;
  const opened = removeConnections(definition, new Set([connectionId(connection)]));
  const entered = connectIfAllowed(opened, catalogue, { ...connection, targetNode: id, targetPort: input });
  return connectIfAllowed(entered, catalogue, { ...connection, sourceNode: id, sourcePort: output });
}

/** Adds a node on a connection, and shifts the nodes after it if there is no room. */
export function insertOnConnection(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  kind: NodeTypeDescription,
  connection: NodeConnection,
) {
  const [source, target] = [
    findNodeById(definition, connection.sourceNode),
    findNodeById(definition, connection.targetNode),
  ];
  if (!source || !target) return undefined;
  const missing = Math.max(0, source.position.x + 2 * CARD_SPACING.x - target.position.x);
  const after = reachableNodeIds(definition, [target.id], 'downstream');
  const roomy: WorkflowDefinition = {
    ...definition,
    nodes: definition.nodes.map((node) =>
      missing > 0 && after.has(node.id)
        ? { ...node, position: { x: node.position.x + missing, y: node.position.y } }
        : node,
    ),
  };
  const place = { x: source.position.x + CARD_SPACING.x, y: (source.position.y + target.position.y) / 2 };
  const added = addNodeToDefinition(roomy, kind, place);
  return { id: added.id, definition: spliceNode(added.definition, catalogue, added.id, connection) };
}

/**
 * Adds a node after another one: at its first output without a connection, else on the only connection of its first
 * output, else beside the nodes that follow this output.
 */
export function addNodeAfter(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  kind: NodeTypeDescription,
  previous: WorkflowNode,
) {
  const leaving = definition.connections.filter((connection) => connection.sourceNode === previous.id);
  const ports = outputPorts(previous, catalogue.get(previous.type), leaving);
  const sourcePort = ports.find((port) => leaving.every((connection) => connection.sourcePort !== port)) ?? ports[0];
  const following = leaving.filter((connection) => connection.sourcePort === sourcePort);
  const [only] = following;
  const [targetPort] = kind.ports.inputs;
  const place = { x: previous.position.x + CARD_SPACING.x, y: previous.position.y };
  if (sourcePort === undefined || targetPort === undefined) return addNodeToDefinition(definition, kind, place);
  const inserted = only && following.length === 1 ? insertOnConnection(definition, catalogue, kind, only) : undefined;
  // A node without outputs can’t be in between.
  if (inserted?.definition.connections.some((one) => one.sourceNode === inserted.id)) return inserted;
  const added = addNodeToDefinition(definition, kind, place, following.length > 0 ? 'down' : 'right');
  const joined = { sourceNode: previous.id, sourcePort, targetNode: added.id, targetPort };
  return { ...added, definition: addConnection(added.definition, joined) };
}

/** The node that a further one can only follow: no other has an output without a connection. */
export function findOnlyOpenNode(definition: WorkflowDefinition, catalogue: NodeTypesByName): WorkflowNode | undefined {
  const taken = new Set(definition.connections.map(({ sourceNode, sourcePort }) => `${sourceNode} ${sourcePort}`));
  const open = definition.nodes.filter((node) =>
    outputPorts(node, catalogue.get(node.type), []).some((port) => !taken.has(`${node.id} ${port}`)),
  );
  return open.length === 1 ? open[0] : undefined;
}

/** The port of a connection that was dropped on the empty canvas. */
export interface OpenConnectionEnd {
  nodeId: string;
  port: string;
  type: 'source' | 'target';
}

/** Adds a node where a connection was dropped, and connects it. */
export function addNodeAtEnd(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  kind: NodeTypeDescription,
  end: OpenConnectionEnd,
  at: XYPosition,
) {
  const added = addNodeToDefinition(definition, kind, {
    x: at.x - (end.type === 'source' ? 0 : 2 * HALF_CARD_SIZE.x),
    y: at.y - HALF_CARD_SIZE.y,
  });
  const node = findNodeById(added.definition, added.id);
  const [own] = node ? [end.type === 'source' ? mainInputPort(node, catalogue) : mainOutputPort(node, catalogue)] : [];
  if (own === undefined) return added;
  const connection =
    end.type === 'source'
      ? { sourceNode: end.nodeId, sourcePort: end.port, targetNode: added.id, targetPort: own }
      : { sourceNode: added.id, sourcePort: own, targetNode: end.nodeId, targetPort: end.port };
  return { ...added, definition: connectIfAllowed(added.definition, catalogue, connection) };
}

/** Removes nodes. In a linear chain, the nodes before and after are connected. */
export function removeAndReconnect(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  ids: Iterable<string>,
): WorkflowDefinition {
  return [...ids].reduce((now, id) => {
    const coming = now.connections.filter((connection) => connection.targetNode === id);
    const leaving = now.connections.filter(
      (connection) => connection.sourceNode === id && connection.sourcePort !== 'error',
    );
    const without = removeNodes(now, new Set([id]));
    const [before] = coming;
    const [after] = leaving;
    if (!before || !after || coming.length > 1 || leaving.length > 1) return without;
    return connectIfAllowed(without, catalogue, {
      ...before,
      targetNode: after.targetNode,
      targetPort: after.targetPort,
    });
  }, definition);
}

/** Replaces a node with another type. Keeps id, name, position, common config fields and fitting connections. */
export function replaceNodeType(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  id: string,
  kind: NodeTypeDescription,
): WorkflowDefinition {
  const old = findNodeById(definition, id);
  if (!old || old.type === kind.type) return definition;
  const fields = Object.keys((kind.configSchema.properties ?? {}) as object);
  const config = Object.fromEntries(Object.entries(old.config).filter(([name]) => fields.includes(name)));
  const { credentialId: _, each, ...rest } = old;
  const node: WorkflowNode = { ...rest, ...(each && kind.takesEach && { each }), type: kind.type, config };
  const nodes = definition.nodes.map((other) => (other.id === id ? node : other));
  const [input, output] = [mainInputPort(node, catalogue), mainOutputPort(node, catalogue)];
  const ports = new Set([...outputPorts(node, kind, []), ...kind.ports.outputs]);
  const reconnected = definition.connections.map((connection): NodeConnection | undefined => {
    if (connection.targetNode === id) return input === undefined ? undefined : { ...connection, targetPort: input };
    if (connection.sourceNode !== id || ports.has(connection.sourcePort)) return connection;
    return output === undefined ? undefined : { ...connection, sourcePort: output };
  });
  const once = new Map(
    reconnected.flatMap((connection) => (connection ? [[connectionId(connection), connection] as const] : [])),
  );
  return { ...definition, nodes, connections: [...once.values()] };
}
