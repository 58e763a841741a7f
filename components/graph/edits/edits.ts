import type { XYPosition } from '@xyflow/react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { NodeConnection, WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { agentPartsHeight } from '../agent-parts';
import { connectionsBySource, outputPorts, connectionId, type NodeTypesByName } from '../cards-and-edges';
import { areInOneScope, type DrawnDefinition } from '../drawn';
import { setDefinitionGroups } from '../groups';
import { readableNodeId, definitionItemIds } from './ids';

/** Size of a card with the gap to the next one. */
export const CARD_SPACING = { x: 300, y: 110 };

/** Adds a node, shifted to avoid overlaps. */
export function addNodeToDefinition(
  definition: WorkflowDefinition,
  kind: NodeTypeDescription,
  position: XYPosition,
  shift: 'right' | 'down' = 'right',
): { definition: WorkflowDefinition; id: string } {
  const id = readableNodeId(definitionItemIds(definition), kind.type);
  const node: WorkflowNode = {
    id,
    type: kind.type,
    position: findFreePosition(definition, position, shift),
    config: {},
  };
  return { id, definition: { ...definition, nodes: [...definition.nodes, node] } };
}

function findFreePosition(definition: WorkflowDefinition, wanted: XYPosition, shift: 'right' | 'down'): XYPosition {
  const place = { x: Math.round(wanted.x), y: Math.round(wanted.y) };
  const covers = (node: WorkflowNode) => {
    const { x, y } = node.position;
    const reach = place.y > y ? CARD_SPACING.y + agentPartsHeight(node) : CARD_SPACING.y;
    return Math.abs(x - place.x) < CARD_SPACING.x && Math.abs(y - place.y) < reach;
  };
  while (definition.nodes.some(covers)) {
    if (shift === 'right') place.x += CARD_SPACING.x;
    else place.y += CARD_SPACING.y;
  }
  return place;
}

export const changeNodeFields = (
  definition: WorkflowDefinition,
  id: string,
  change: Partial<WorkflowNode>,
): WorkflowDefinition => ({
  ...definition,
  nodes: definition.nodes.map((node) => (node.id === id ? { ...node, ...change } : node)),
});

/** Removes nodes with their connections and group memberships. */
export function removeNodes(definition: WorkflowDefinition, ids: ReadonlySet<string>): WorkflowDefinition {
  const stays = (connection: NodeConnection) => !ids.has(connection.sourceNode) && !ids.has(connection.targetNode);
  const left: WorkflowDefinition = {
    ...definition,
    nodes: definition.nodes.filter((node) => !ids.has(node.id)),
    connections: definition.connections.filter(stays),
  };
  return setDefinitionGroups(left, left.groups ?? []);
}

export const removeConnections = (
  definition: WorkflowDefinition,
  connectionIds: ReadonlySet<string>,
): WorkflowDefinition => ({
  ...definition,
  connections: definition.connections.filter((connection) => !connectionIds.has(connectionId(connection))),
});

/** Moves nodes and notes. Returns the same object if nothing moved. */
export function moveItems(definition: WorkflowDefinition, places: ReadonlyMap<string, XYPosition>): WorkflowDefinition {
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
  definition: DrawnDefinition,
  catalogue: NodeTypesByName,
  connection: NodeConnection,
): string | undefined {
  const source = definition.nodes.find((node) => node.id === connection.sourceNode);
  const target = definition.nodes.find((node) => node.id === connection.targetNode);
  if (!source || !target) return 'One of the nodes no longer exists.';
  if (source === target) return 'A node can’t be connected to itself.';
  if (!areInOneScope(definition, source.id, target.id)) return 'A connection can’t cross the frame of a loop.';
  if (definition.connections.some((other) => connectionId(other) === connectionId(connection)))
    return 'These ports are already connected.';
  const inputs = catalogue.get(target.type)?.ports.inputs ?? ['input'];
  if (!inputs.includes(connection.targetPort)) return 'A start node has no input.';
  const outputs = [...outputPorts(source, catalogue.get(source.type), definition.connections), 'error'];
  if (!outputs.includes(connection.sourcePort)) return 'The node no longer has this port.';
  if (canReachNode(definition, target.id, source.id)) return 'This would create a cycle. Workflows must be acyclic.';
  return undefined;
}

function canReachNode(definition: WorkflowDefinition, from: string, to: string): boolean {
  const next = connectionsBySource(definition);
  const seen = new Set([from]);
  for (const id of seen) {
    if (id === to) return true;
    for (const connection of next.get(id) ?? []) seen.add(connection.targetNode);
  }
  return false;
}

export const addConnection = (definition: WorkflowDefinition, connection: NodeConnection): WorkflowDefinition => ({
  ...definition,
  connections: [...definition.connections, connection],
});
