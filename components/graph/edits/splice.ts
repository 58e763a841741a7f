import type { XYPosition } from '@xyflow/react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { addNode, connect, connectionIssue, PITCH, removeConnections, removeNodes } from './edits';
import { outputPorts, connectionId, type Catalogue } from '../flow';
import { reach } from '../walk';

/** Half the size of a card. */
const HALF = { x: 118, y: 30 };

/** The default output port of a node. */
const mainOutput = (node: Node, catalogue: Catalogue) => outputPorts(node, catalogue.get(node.type), [])[0];
const mainInput = (node: Node, catalogue: Catalogue) => (catalogue.get(node.type)?.ports.inputs ?? ['input'])[0];
const nodeIn = (definition: Definition, id: string) => definition.nodes.find((node) => node.id === id);

/** Connects two ports if allowed; otherwise returns the definition unchanged. */
const tryConnect = (definition: Definition, catalogue: Catalogue, connection: Connection) =>
  connectionIssue(definition, catalogue, connection) === undefined ? connect(definition, connection) : definition;

/** Inserts an unconnected node on a connection. */
export function splice(definition: Definition, catalogue: Catalogue, id: string, connection: Connection): Definition {
  const node = nodeIn(definition, id);
  const input = node && mainInput(node, catalogue);
  const output = node && mainOutput(node, catalogue);
  if (input === undefined || output === undefined) return definition;
  if (id === connection.sourceNode || id === connection.targetNode) return definition;
  const opened = removeConnections(definition, new Set([connectionId(connection)]));
  const entered = tryConnect(opened, catalogue, { ...connection, targetNode: id, targetPort: input });
  return tryConnect(entered, catalogue, { ...connection, sourceNode: id, sourcePort: output });
}

/** Adds a node on a connection, and shifts the nodes after it if there is no room. */
export function insertOn(definition: Definition, catalogue: Catalogue, kind: NodeType, connection: Connection) {
  const [source, target] = [nodeIn(definition, connection.sourceNode), nodeIn(definition, connection.targetNode)];
  if (!source || !target) return undefined;
  const missing = Math.max(0, source.position.x + 2 * PITCH.x - target.position.x);
  const after = reach(definition, [target.id], 'downstream');
  const roomy: Definition = {
    ...definition,
    nodes: definition.nodes.map((node) =>
      missing > 0 && after.has(node.id)
        ? { ...node, position: { x: node.position.x + missing, y: node.position.y } }
        : node,
    ),
  };
  const place = { x: source.position.x + PITCH.x, y: (source.position.y + target.position.y) / 2 };
  const added = addNode(roomy, kind, place);
  return { id: added.id, definition: splice(added.definition, catalogue, added.id, connection) };
}

/**
 * Adds a node after another one: at its first output without a connection, else on the only connection of its first output,
 * else beside the nodes that follow this output.
 */
export function addAfter(definition: Definition, catalogue: Catalogue, kind: NodeType, previous: Node) {
  const leaving = definition.connections.filter((connection) => connection.sourceNode === previous.id);
  const ports = outputPorts(previous, catalogue.get(previous.type), leaving);
  const sourcePort = ports.find((port) => leaving.every((connection) => connection.sourcePort !== port)) ?? ports[0];
  const following = leaving.filter((connection) => connection.sourcePort === sourcePort);
  const [only] = following;
  const [targetPort] = kind.ports.inputs;
  const place = { x: previous.position.x + PITCH.x, y: previous.position.y };
  if (sourcePort === undefined || targetPort === undefined) return addNode(definition, kind, place);
  const inserted = only && following.length === 1 ? insertOn(definition, catalogue, kind, only) : undefined;
  // A node without outputs can’t be in between.
  if (inserted?.definition.connections.some((one) => one.sourceNode === inserted.id)) return inserted;
  const added = addNode(definition, kind, place, following.length > 0 ? 'down' : 'right');
  const joined = { sourceNode: previous.id, sourcePort, targetNode: added.id, targetPort };
  return { ...added, definition: connect(added.definition, joined) };
}

/** The port of a connection that was dropped on the empty canvas. */
export interface LooseEnd {
  nodeId: string;
  port: string;
  type: 'source' | 'target';
}

/** Adds a node where a connection was dropped, and connects it. */
export function addAtEnd(definition: Definition, catalogue: Catalogue, kind: NodeType, end: LooseEnd, at: XYPosition) {
  const added = addNode(definition, kind, { x: at.x - (end.type === 'source' ? 0 : 2 * HALF.x), y: at.y - HALF.y });
  const node = nodeIn(added.definition, added.id);
  const [own] = node ? [end.type === 'source' ? mainInput(node, catalogue) : mainOutput(node, catalogue)] : [];
  if (own === undefined) return added;
  const connection =
    end.type === 'source'
      ? { sourceNode: end.nodeId, sourcePort: end.port, targetNode: added.id, targetPort: own }
      : { sourceNode: added.id, sourcePort: own, targetNode: end.nodeId, targetPort: end.port };
  return { ...added, definition: tryConnect(added.definition, catalogue, connection) };
}

/** Removes nodes. In a linear chain, the nodes before and after are connected. */
export function removeAndReconnect(definition: Definition, catalogue: Catalogue, ids: Iterable<string>): Definition {
  return [...ids].reduce((now, id) => {
    const coming = now.connections.filter((connection) => connection.targetNode === id);
    const leaving = now.connections.filter(
      (connection) => connection.sourceNode === id && connection.sourcePort !== 'error',
    );
    const without = removeNodes(now, new Set([id]));
    const [before] = coming;
    const [after] = leaving;
    if (!before || !after || coming.length > 1 || leaving.length > 1) return without;
    return tryConnect(without, catalogue, { ...before, targetNode: after.targetNode, targetPort: after.targetPort });
  }, definition);
}

/** Replaces a node with another type. Keeps id, name, position, common config fields and fitting connections. */
export function replaceNode(definition: Definition, catalogue: Catalogue, id: string, kind: NodeType): Definition {
  const old = nodeIn(definition, id);
  if (!old || old.type === kind.type) return definition;
  const fields = Object.keys((kind.configSchema.properties ?? {}) as object);
  const config = Object.fromEntries(Object.entries(old.config).filter(([name]) => fields.includes(name)));
  const { credentialId: _, ...rest } = old;
  const node: Node = { ...rest, type: kind.type, config };
  const nodes = definition.nodes.map((other) => (other.id === id ? node : other));
  const [input, output] = [mainInput(node, catalogue), mainOutput(node, catalogue)];
  const ports = new Set([...outputPorts(node, kind, []), ...kind.ports.outputs]);
  const reconnected = definition.connections.map((connection): Connection | undefined => {
    if (connection.targetNode === id) return input === undefined ? undefined : { ...connection, targetPort: input };
    if (connection.sourceNode !== id || ports.has(connection.sourcePort)) return connection;
    return output === undefined ? undefined : { ...connection, sourcePort: output };
  });
  const once = new Map(
    reconnected.flatMap((connection) => (connection ? [[connectionId(connection), connection] as const] : [])),
  );
  return { ...definition, nodes, connections: [...once.values()] };
}
