import type { XYPosition } from '@xyflow/react';
import type { NodeType } from '@/contract/node-type';
import type { Connection, Definition, Node } from '@/contract/workflow';
import { bySource, outputPorts, wireId, type Catalogue } from './flow';
import { withGroups } from './groups';
import { freeId, idsIn } from './ids';

/** How much room a card takes, with a gap to the next. */
export const PITCH = { x: 300, y: 110 };

/** Adds a node, moved to the right of any other that is in its place. */
export function addNode(
  definition: Definition,
  kind: NodeType,
  position: XYPosition,
): { definition: Definition; id: string } {
  const id = freeId(idsIn(definition), kind.type);
  const node: Node = { id, type: kind.type, position: freePlace(definition, position), config: {} };
  return { id, definition: { ...definition, nodes: [...definition.nodes, node] } };
}

function freePlace(definition: Definition, wanted: XYPosition): XYPosition {
  const place = { x: Math.round(wanted.x), y: Math.round(wanted.y) };
  const covers = ({ position: { x, y } }: Node) => Math.abs(x - place.x) < PITCH.x && Math.abs(y - place.y) < PITCH.y;
  while (definition.nodes.some(covers)) place.x += PITCH.x;
  return place;
}

/** Adds a node behind another one, and joins the two where the other has a port that leads nowhere yet. */
export function addAfter(definition: Definition, catalogue: Catalogue, kind: NodeType, previous: Node) {
  const { x, y } = previous.position;
  const added = addNode(definition, kind, { x: x + PITCH.x, y });
  const leaving = definition.connections.filter((connection) => connection.sourceNode === previous.id);
  const used = new Set(leaving.map((connection) => connection.sourcePort));
  const sourcePort = outputPorts(previous, catalogue.get(previous.type), leaving).find((port) => !used.has(port));
  const [targetPort] = kind.ports.inputs;
  if (sourcePort === undefined || targetPort === undefined) return added;
  const joined = { sourceNode: previous.id, sourcePort, targetNode: added.id, targetPort };
  return { ...added, definition: connect(added.definition, joined) };
}

export const changeNode = (definition: Definition, id: string, change: Partial<Node>): Definition => ({
  ...definition,
  nodes: definition.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
});

/** Nodes go with the connections that touch them, and out of their groups. */
export function removeNodes(definition: Definition, ids: ReadonlySet<string>): Definition {
  const stays = (connection: Connection) => !ids.has(connection.sourceNode) && !ids.has(connection.targetNode);
  const left: Definition = {
    ...definition,
    nodes: definition.nodes.filter((node) => !ids.has(node.id)),
    connections: definition.connections.filter(stays),
  };
  return withGroups(left, left.groups ?? []);
}

export const removeConnections = (definition: Definition, wireIds: ReadonlySet<string>): Definition => ({
  ...definition,
  connections: definition.connections.filter((connection) => !wireIds.has(wireId(connection))),
});

/** Nodes and notes at new places. The same object where nothing is elsewhere than before. */
export function move(definition: Definition, places: ReadonlyMap<string, XYPosition>): Definition {
  let isMoved = false;
  const moved = <Item extends { id: string; position: XYPosition }>(item: Item): Item => {
    const place = places.get(item.id);
    const position = place && { x: Math.round(place.x), y: Math.round(place.y) };
    if (!position || (position.x === item.position.x && position.y === item.position.y)) return item;
    isMoved = true;
    return { ...item, position };
  };
  const { nodes, notes } = definition;
  const next = { ...definition, nodes: nodes.map(moved), ...(notes && { notes: notes.map(moved) }) };
  return isMoved ? next : definition;
}

/** Why two ports can't be joined, in words for the person who tries; undefined when they can. */
export function connectionIssue(
  definition: Definition,
  catalogue: Catalogue,
  connection: Connection,
): string | undefined {
  const source = definition.nodes.find((node) => node.id === connection.sourceNode);
  const target = definition.nodes.find((node) => node.id === connection.targetNode);
  if (!source || !target) return 'One of the two nodes is gone.';
  if (source === target) return 'A node can’t follow itself.';
  if (definition.connections.some((other) => wireId(other) === wireId(connection)))
    return 'These ports are joined already.';
  const inputs = catalogue.get(target.type)?.ports.inputs ?? ['input'];
  if (!inputs.includes(connection.targetPort)) return 'This node starts a run: nothing can come before it.';
  const outputs = [...outputPorts(source, catalogue.get(source.type), definition.connections), 'error'];
  if (!outputs.includes(connection.sourcePort)) return 'The node no longer has this port.';
  if (reaches(definition, target.id, source.id)) return 'That would make a circle; runs only go forward.';
  return undefined;
}

function reaches(definition: Definition, from: string, to: string): boolean {
  const next = bySource(definition);
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const connection of next.get(id) ?? []) seen.add(connection.targetNode);
  }
  return false;
}

export const connect = (definition: Definition, connection: Connection): Definition => ({
  ...definition,
  connections: [...definition.connections, connection],
});
