import type { XYPosition } from '@xyflow/react';
import type { NodeType } from '@/contract/node-type';
import type { Connection, Definition, Node } from '@/contract/workflow';
import { addNode, connect, connectionIssue, PITCH, removeConnections, removeNodes } from './edits';
import { outputPorts, wireId, type Catalogue } from './flow';
import { reach } from './walk';

/** Half a card, from its corner to its middle. */
const HALF = { x: 118, y: 30 };

/** The port by which a node's results leave when nobody says otherwise. */
const mainOutput = (node: Node, catalogue: Catalogue) => outputPorts(node, catalogue.get(node.type), [])[0];
const mainInput = (node: Node, catalogue: Catalogue) => (catalogue.get(node.type)?.ports.inputs ?? ['input'])[0];
const nodeIn = (definition: Definition, id: string) => definition.nodes.find((node) => node.id === id);

/** Joins where that is allowed; else leaves things as they are. */
const tryConnect = (definition: Definition, catalogue: Catalogue, connection: Connection) =>
  connectionIssue(definition, catalogue, connection) === undefined ? connect(definition, connection) : definition;

/** Puts a node that stands by itself into a connection: what went through it now goes through the node. */
export function splice(definition: Definition, catalogue: Catalogue, id: string, wire: Connection): Definition {
  const node = nodeIn(definition, id);
  const input = node && mainInput(node, catalogue);
  const output = node && mainOutput(node, catalogue);
  if (input === undefined || output === undefined) return definition;
  if (id === wire.sourceNode || id === wire.targetNode) return definition;
  const opened = removeConnections(definition, new Set([wireId(wire)]));
  const entered = tryConnect(opened, catalogue, { ...wire, targetNode: id, targetPort: input });
  return tryConnect(entered, catalogue, { ...wire, sourceNode: id, sourcePort: output });
}

/** Adds a node into a connection, and moves what follows aside where there is no room. */
export function insertOn(definition: Definition, catalogue: Catalogue, kind: NodeType, wire: Connection) {
  const [source, target] = [nodeIn(definition, wire.sourceNode), nodeIn(definition, wire.targetNode)];
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
  return { id: added.id, definition: splice(added.definition, catalogue, added.id, wire) };
}

/** A port from which somebody drew into the empty. */
export interface LooseEnd {
  nodeId: string;
  port: string;
  type: 'source' | 'target';
}

/** Adds a node where a connection was let go (its middle there), and joins the two. */
export function addAtEnd(definition: Definition, catalogue: Catalogue, kind: NodeType, end: LooseEnd, at: XYPosition) {
  const added = addNode(definition, kind, { x: at.x - (end.type === 'source' ? 0 : 2 * HALF.x), y: at.y - HALF.y });
  const node = nodeIn(added.definition, added.id);
  const [own] = node ? [end.type === 'source' ? mainInput(node, catalogue) : mainOutput(node, catalogue)] : [];
  if (own === undefined) return added;
  const wire =
    end.type === 'source'
      ? { sourceNode: end.nodeId, sourcePort: end.port, targetNode: added.id, targetPort: own }
      : { sourceNode: added.id, sourcePort: own, targetNode: end.nodeId, targetPort: end.port };
  return { ...added, definition: tryConnect(added.definition, catalogue, wire) };
}

/** Removes nodes; where one stood in a straight chain, its neighbours are joined. */
export function removeAndHeal(definition: Definition, catalogue: Catalogue, ids: Iterable<string>): Definition {
  return [...ids].reduce((now, id) => {
    const coming = now.connections.filter((wire) => wire.targetNode === id);
    const leaving = now.connections.filter((wire) => wire.sourceNode === id && wire.sourcePort !== 'error');
    const without = removeNodes(now, new Set([id]));
    const [before] = coming;
    const [after] = leaving;
    if (!before || !after || coming.length > 1 || leaving.length > 1) return without;
    return tryConnect(without, catalogue, { ...before, targetNode: after.targetNode, targetPort: after.targetPort });
  }, definition);
}

/** Makes a node one of another type. Its id, name, place, equal fields, and all connections that still fit stay. */
export function replaceNode(definition: Definition, catalogue: Catalogue, id: string, kind: NodeType): Definition {
  const old = nodeIn(definition, id);
  if (!old || old.type === kind.type) return definition;
  const fields = Object.keys((kind.configSchema.properties ?? {}) as object);
  const config = Object.fromEntries(Object.entries(old.config).filter(([name]) => fields.includes(name)));
  const { credentialId: _, ...kept } = old;
  const node: Node = { ...kept, type: kind.type, config };
  const nodes = definition.nodes.map((other) => (other.id === id ? node : other));
  const [input, output] = [mainInput(node, catalogue), mainOutput(node, catalogue)];
  const ports = new Set([...outputPorts(node, kind, []), ...kind.ports.outputs]);
  const rewired = definition.connections.map((wire): Connection | undefined => {
    if (wire.targetNode === id) return input === undefined ? undefined : { ...wire, targetPort: input };
    if (wire.sourceNode !== id || ports.has(wire.sourcePort)) return wire;
    return output === undefined ? undefined : { ...wire, sourcePort: output };
  });
  const once = new Map(rewired.flatMap((wire) => (wire ? [[wireId(wire), wire] as const] : [])));
  return { ...definition, nodes, connections: [...once.values()] };
}
