import type { XYPosition } from '@xyflow/react';
import type { Definition } from '@/contract/workflows/workflow';
import type { Catalogue } from '../flow';
import { folded } from '../groups';
import { moves } from '../items';
import { CARD } from './card';
import { geometryOf } from './geometry';
import { orderByPorts } from './port-order';

/**
 * Lays out these nodes (or all) in columns from left to right. Expanded groups stay together; a collapsed group is one
 * card, named by its own id in `only`. Dagre is loaded at first use.
 */
export async function layout(
  whole: Definition,
  catalogue: Catalogue,
  only?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, XYPosition>> {
  const dagre = await import('@dagrejs/dagre');
  const definition = folded(whole);
  const graph = new dagre.graphlib.Graph({ multigraph: true, compound: true });
  graph.setGraph({ rankdir: 'LR', nodesep: 50, ranksep: 80 });
  graph.setDefaultEdgeLabel(() => ({}));
  const nodes = definition.nodes.filter(({ id }) => only === undefined || only.has(id));
  const ids = new Set(nodes.map(({ id }) => id));
  const { boxes, endsOf } = geometryOf(definition, catalogue);
  for (const { id } of nodes) {
    const { width = CARD.width, height = CARD.height } = boxes.get(id) ?? {};
    graph.setNode(id, { width, height });
  }
  for (const { id, nodeIds, isCollapsed } of whole.groups ?? []) {
    const members = isCollapsed ? [] : nodeIds.filter((nodeId) => ids.has(nodeId));
    if (members.length) graph.setNode(id, {});
    for (const nodeId of members) graph.setParent(nodeId, id);
  }
  for (const [index, { sourceNode, targetNode }] of definition.connections.entries())
    if (ids.has(sourceNode) && ids.has(targetNode)) graph.setEdge(sourceNode, targetNode, {}, String(index));
  const portHeight = (edgeName = '') => {
    const connection = definition.connections[Number(edgeName)];
    const [ends, box] = [connection && endsOf(connection), boxes.get(connection?.sourceNode ?? '')];
    return ends && box ? (ends.from.y - box.y) / (box.height + 1) : 0;
  };
  dagre.layout(graph, {
    customOrder: (ordered, order) => {
      order(ordered);
      orderByPorts(ordered, portHeight);
    },
  });
  const places = new Map(
    nodes.map(({ id }) => {
      const { x, y, width, height } = graph.node(id) as XYPosition & { width: number; height: number };
      return [id, { x: Math.round(x - width / 2), y: Math.round(y - height / 2) }];
    }),
  );
  return carried(whole, anchored(places, nodes));
}

/** Moves the nodes inside collapsed groups along with their group. */
function carried(definition: Definition, places: ReadonlyMap<string, XYPosition>): ReadonlyMap<string, XYPosition> {
  const changes = [...places].map(([id, position]) => ({ type: 'position', id, position }) as const);
  return moves(definition, changes);
}

/** Keeps the corner of the laid out nodes in place. */
function anchored(places: Map<string, XYPosition>, nodes: Definition['nodes']): ReadonlyMap<string, XYPosition> {
  const corner = (all: XYPosition[]) => ({
    x: Math.min(...all.map(({ x }) => x)),
    y: Math.min(...all.map(({ y }) => y)),
  });
  const [was, is] = [corner(nodes.map(({ position }) => position)), corner([...places.values()])];
  return new Map([...places].map(([id, { x, y }]) => [id, { x: x - is.x + was.x, y: y - is.y + was.y }]));
}
