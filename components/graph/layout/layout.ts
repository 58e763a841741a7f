import type { XYPosition } from '@xyflow/react';
import type { ElkExtendedEdge, ElkNode, ElkPort } from 'elkjs/lib/elk-api';
import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '../cards-and-edges';
import { toDrawnDefinition, GROUP_FRAME_PADDING } from '../groups';
import { draggedPositions } from '../canvas-items';
import { loadLayoutEngine } from './elk';
import { computeGeometry, type GraphGeometry } from './geometry';

/**
 * Layers from left to right (Sugiyama), with ports at fixed places. Chosen by measurements:
 * docs/decisions/0015-layout.md.
 */
const ELK_LAYOUT_OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.layered.considerModelOrder.strategy': 'PREFER_EDGES',
  'elk.layered.spacing.nodeNodeBetweenLayers': '80',
  'elk.spacing.nodeNode': '50',
};
const ELK_GROUP_OPTIONS = {
  'elk.padding': `[top=${GROUP_FRAME_PADDING.top},left=${GROUP_FRAME_PADDING.side},bottom=${GROUP_FRAME_PADDING.bottom},right=${GROUP_FRAME_PADDING.side}]`,
};
const ELK_PORT_SIDES = { right: 'EAST', bottom: 'SOUTH' };

/**
 * Lays out these nodes (or all) in columns from left to right. Expanded groups stay together; a collapsed group is one
 * card, named by its own id in `only`.
 */
export async function layOutDefinition(
  whole: WorkflowDefinition,
  catalogue: NodeTypesByName,
  only?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, XYPosition>> {
  const definition = toDrawnDefinition(whole);
  const nodes = definition.nodes.filter(({ id }) => only === undefined || only.has(id));
  const ids = new Set(nodes.map(({ id }) => id));
  const connections = definition.connections.filter((c) => ids.has(c.sourceNode) && ids.has(c.targetNode));
  const { children, edges } = buildElkGraph(definition, computeGeometry(definition, catalogue), { ids, connections });
  const drawn = await (
    await loadLayoutEngine()
  ).layout({ id: 'root', layoutOptions: ELK_LAYOUT_OPTIONS, children, edges });
  return moveCollapsedMembers(whole, anchorLayoutCorner(elkCardCorners(drawn, { x: 0, y: 0 }, ids), nodes));
}

interface LayoutSelection {
  ids: ReadonlySet<string>;
  connections: readonly NodeConnection[];
}

const elkPortId = (node: string, port: string) => JSON.stringify([node, port]);

/** The part of a definition as ELK’s graph: cards with their ports, inside the frames of their groups. */
function buildElkGraph(
  definition: WorkflowDefinition,
  { boxes, roomyBoxes, connectionEnds: endsOf }: GraphGeometry,
  { ids, connections }: LayoutSelection,
) {
  const ports = new Map<string, Map<string, ElkPort>>();
  const addPort = (node: string, port: string, side: string, x: number, y: number) => {
    const own = ports.get(node) ?? new Map<string, ElkPort>();
    const id = elkPortId(node, port);
    ports.set(node, own.set(id, { id, x, y, layoutOptions: { 'elk.port.side': side } }));
    return id;
  };
  const edges = connections.flatMap((connection, index): ElkExtendedEdge[] => {
    const { sourceNode, sourcePort, targetNode } = connection;
    const [ends, source, target] = [endsOf(connection), roomyBoxes.get(sourceNode), boxes.get(targetNode)];
    if (!ends || !source || !target) return [];
    const { from, to, side } = ends;
    // A port at the bottom is below the parts of an agent.
    const startY = side === 'bottom' ? source.height : from.y - source.y;
    const start = addPort(sourceNode, `out ${sourcePort}`, ELK_PORT_SIDES[side], from.x - source.x, startY);
    const end = addPort(targetNode, 'in', 'WEST', 0, to.y - target.y);
    return [{ id: `edge ${index}`, sources: [start], targets: [end] }];
  });
  const card = (id: string): ElkNode => {
    const { width = 0, height = 0 } = roomyBoxes.get(id) ?? {};
    const layoutOptions = { 'elk.portConstraints': 'FIXED_POS' };
    return { id, width, height, layoutOptions, ports: [...(ports.get(id)?.values() ?? [])] };
  };
  const framed = new Set<string>();
  const frames = (definition.groups ?? []).flatMap(({ id, nodeIds, isCollapsed }): ElkNode[] => {
    const members = isCollapsed ? [] : nodeIds.filter((nodeId) => ids.has(nodeId));
    for (const nodeId of members) framed.add(nodeId);
    return members.length > 0
      ? [{ id: `group ${id}`, layoutOptions: ELK_GROUP_OPTIONS, children: members.map(card) }]
      : [];
  });
  const loose = [...ids].filter((id) => !framed.has(id)).map(card);
  return { children: [...loose, ...frames], edges };
}

/** The corners of the cards. ELK’s places are relative to the frame around them. */
function elkCardCorners(
  { children = [] }: ElkNode,
  { x, y }: XYPosition,
  ids: ReadonlySet<string>,
): Map<string, XYPosition> {
  return new Map(
    children.flatMap((node) => {
      const at = { x: x + (node.x ?? 0), y: y + (node.y ?? 0) };
      return ids.has(node.id) ? [[node.id, at] as const] : [...elkCardCorners(node, at, ids)];
    }),
  );
}

/** Moves the nodes inside collapsed groups along with their group. */
function moveCollapsedMembers(
  definition: WorkflowDefinition,
  places: ReadonlyMap<string, XYPosition>,
): ReadonlyMap<string, XYPosition> {
  const changes = [...places].map(([id, position]) => ({ type: 'position', id, position }) as const);
  return draggedPositions(definition, changes);
}

/** Keeps the corner of the laid out nodes in place, in whole pixels. */
function anchorLayoutCorner(
  places: Map<string, XYPosition>,
  nodes: WorkflowDefinition['nodes'],
): ReadonlyMap<string, XYPosition> {
  const corner = (all: XYPosition[]) => ({
    x: Math.min(...all.map(({ x }) => x)),
    y: Math.min(...all.map(({ y }) => y)),
  });
  const [was, is] = [corner(nodes.map(({ position }) => position)), corner([...places.values()])];
  return new Map(
    [...places].map(([id, { x, y }]) => [id, { x: Math.round(x - is.x + was.x), y: Math.round(y - is.y + was.y) }]),
  );
}
