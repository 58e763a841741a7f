import type { XYPosition } from '@xyflow/react';
import type { NodeConnection, WorkflowDefinition, WorkflowNode, NodeGroup } from '@/contract/workflows/workflow';
import { definitionItemIds, randomAnnotationId } from './edits/ids';

/** Padding of a group's frame around its nodes. */
export const GROUP_FRAME_PADDING = { side: 24, top: 52, bottom: 28 };

/** The node type of a collapsed group. */
export const COLLAPSED_GROUP_TYPE = 'group';

/** The nodes among these ids, and the nodes of the groups among them. */
export function selectedNodeIds(definition: WorkflowDefinition, ids: Iterable<string>): ReadonlySet<string> {
  const chosen = new Set(ids);
  const members = (definition.groups ?? []).flatMap(({ id, nodeIds }) => (chosen.has(id) ? nodeIds : []));
  const nodes = definition.nodes.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  return new Set([...nodes, ...members]);
}

/** The groups among these ids, and those that hold one of these nodes. */
export function selectedGroups(definition: WorkflowDefinition, ids: Iterable<string>): NodeGroup[] {
  const chosen = new Set(ids);
  return (definition.groups ?? []).filter(
    ({ id, nodeIds }) => chosen.has(id) || nodeIds.some((node) => chosen.has(node)),
  );
}

/** Sets the groups of a definition, without removed nodes and without empty groups. */
export function setDefinitionGroups(definition: WorkflowDefinition, groups: NodeGroup[]): WorkflowDefinition {
  const { groups: _, ...rest } = definition;
  const free = new Set(definition.nodes.map(({ id }) => id));
  const fitting = groups.flatMap((group) => {
    const nodeIds = group.nodeIds.filter((id) => free.delete(id));
    if (nodeIds.length === 0) return [];
    return nodeIds.length === group.nodeIds.length ? [group] : [{ ...group, nodeIds }];
  });
  return fitting.length ? { ...rest, groups: fitting } : rest;
}

/** Puts nodes into a new group and removes them from other groups. */
export function groupNodes(
  definition: WorkflowDefinition,
  nodeIds: ReadonlySet<string>,
): { definition: WorkflowDefinition; id: string } {
  const id = randomAnnotationId(definitionItemIds(definition), 'group');
  const group: NodeGroup = { id, name: 'Group', nodeIds: [...nodeIds] };
  return { id, definition: setDefinitionGroups(definition, [group, ...(definition.groups ?? [])]) };
}

export const removeGroups = (definition: WorkflowDefinition, ids: ReadonlySet<string>): WorkflowDefinition =>
  setDefinitionGroups(
    definition,
    (definition.groups ?? []).filter(({ id }) => !ids.has(id)),
  );

export const changeGroup = (
  definition: WorkflowDefinition,
  id: string,
  change: Partial<NodeGroup>,
): WorkflowDefinition => ({
  ...definition,
  groups: definition.groups?.map((group) => (group.id === id ? { ...group, ...change } : group)),
});

/** Expands or collapses groups. */
export function collapseGroups(
  definition: WorkflowDefinition,
  ids: ReadonlySet<string>,
  isCollapsed: boolean,
): WorkflowDefinition {
  const wanted = isCollapsed || undefined;
  if (!definition.groups?.some((group) => ids.has(group.id) && group.isCollapsed !== wanted)) return definition;
  const groups = definition.groups.map((group) => (ids.has(group.id) ? { ...group, isCollapsed: wanted } : group));
  return { ...definition, groups };
}

/** The upper left corner of a group's frame, from the positions of its nodes. */
export function groupFrameCorner(group: NodeGroup, places: ReadonlyMap<string, XYPosition>): XYPosition {
  const members = group.nodeIds.flatMap((id) => places.get(id) ?? []);
  return {
    x: Math.min(...members.map(({ x }) => x)) - GROUP_FRAME_PADDING.side,
    y: Math.min(...members.map(({ y }) => y)) - GROUP_FRAME_PADDING.top,
  };
}

export const nodePositions = (definition: WorkflowDefinition): ReadonlyMap<string, XYPosition> =>
  new Map(definition.nodes.map(({ id, position }) => [id, position]));

/** Returns a function that maps a node id to the id it is drawn as: its own, or that of its collapsed group. */
export function drawnIdMapper(definition: WorkflowDefinition): (nodeId: string) => string {
  const folds = new Map(
    (definition.groups ?? []).flatMap(({ id, nodeIds, isCollapsed }) =>
      isCollapsed ? nodeIds.map((nodeId) => [nodeId, id] as const) : [],
    ),
  );
  return folds.size === 0 ? (id) => id : (id) => folds.get(id) ?? id;
}

/** The definition as drawn: each collapsed group is one node with the connections of its nodes. */
export function toDrawnDefinition(definition: WorkflowDefinition): WorkflowDefinition {
  const { groups = [] } = setDefinitionGroups(definition, definition.groups ?? []);
  const collapsed = groups.filter(({ isCollapsed }) => isCollapsed);
  if (collapsed.length === 0) return definition;
  const at = drawnIdMapper(definition);
  const places = nodePositions(definition);
  const folds = collapsed.map((group): WorkflowNode => ({
    id: group.id,
    type: COLLAPSED_GROUP_TYPE,
    position: groupFrameCorner(group, places),
    config: {},
    name: group.name,
  }));
  const connections = definition.connections.flatMap((connection): NodeConnection[] => {
    const [sourceNode, targetNode] = [at(connection.sourceNode), at(connection.targetNode)];
    return sourceNode === targetNode ? [] : [{ ...connection, sourceNode, targetNode }];
  });
  return { ...definition, nodes: [...definition.nodes.filter(({ id }) => at(id) === id), ...folds], connections };
}
