import type { XYPosition } from '@xyflow/react';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Connection, Definition, Node } from '@/contract/workflows/workflow';
import { bySource, outputPorts, connectionId, type Catalogue } from '../flow';
import { withGroups } from '../groups';
import { freeId, idsIn } from './ids';

/** Size of a card with the gap to the next one. */
export const PITCH = { x: 300, y: 110 };

/** Adds a node, shifted to avoid overlaps. */
export function addNode(
  definition: Definition,
  kind: NodeType,
  position: XYPosition,
  shift: 'right' | 'down' = 'right',
): { definition: Definition; id: string } {
  const id = freeId(idsIn(definition), kind.type);
  const node: Node = { id, type: kind.type, position: freePlace(definition, position, shift), config: {} };
  return { id, definition: { ...definition, nodes: [...definition.nodes, node] } };
}

function freePlace(definition: Definition, wanted: XYPosition, shift: 'right' | 'down'): XYPosition {
  const place = { x: Math.round(wanted.x), y: Math.round(wanted.y) };
  const covers = ({ position: { x, y } }: Node) => Math.abs(x - place.x) < PITCH.x && Math.abs(y - place.y) < PITCH.y;
  while (definition.nodes.some(covers)) {
    if (shift === 'right') place.x += PITCH.x;
    else place.y += PITCH.y;
  }
  return place;
}

export const changeNode = (definition: Definition, id: string, change: Partial<Node>): Definition => ({
  ...definition,
  nodes: definition.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
});

/** Removes nodes with their connections and group memberships. */
export function removeNodes(definition: Definition, ids: ReadonlySet<string>): Definition {
  const stays = (connection: Connection) => !ids.has(connection.sourceNode) && !ids.has(connection.targetNode);
  const left: Definition = {
    ...definition,
    nodes: definition.nodes.filter((node) => !ids.has(node.id)),
    connections: definition.connections.filter(stays),
  };
  return withGroups(left, left.groups ?? []);
}

export const removeConnections = (definition: Definition, connectionIds: ReadonlySet<string>): Definition => ({
  ...definition,
  connections: definition.connections.filter((connection) => !connectionIds.has(connectionId(connection))),
});

/** Moves nodes and notes. Returns the same object if nothing moved. */
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

/** Why two ports can't be connected, as a message; undefined if they can. */
export function connectionIssue(
  definition: Definition,
  catalogue: Catalogue,
  connection: Connection,
): string | undefined {
  const source = definition.nodes.find((node) => node.id === connection.sourceNode);
  const target = definition.nodes.find((node) => node.id === connection.targetNode);
  if (!source || !target) return 'One of the nodes no longer exists.';
  if (source === target) return 'A node can’t be connected to itself.';
  if (definition.connections.some((other) => connectionId(other) === connectionId(connection)))
    return 'These ports are already connected.';
  const inputs = catalogue.get(target.type)?.ports.inputs ?? ['input'];
  if (!inputs.includes(connection.targetPort)) return 'A start node has no input.';
  const outputs = [...outputPorts(source, catalogue.get(source.type), definition.connections), 'error'];
  if (!outputs.includes(connection.sourcePort)) return 'The node no longer has this port.';
  if (reaches(definition, target.id, source.id)) return 'This would create a cycle. Workflows must be acyclic.';
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
