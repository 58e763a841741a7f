import type { XYPosition } from '@xyflow/react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { connectionId, type NodeTypesByName } from '../cards-and-edges';
import { toDrawnDefinition } from '../groups';
import { connectionCurves, doesLineEnterBox, curvesToPoints } from './curve';
import { computeGeometry } from './geometry';
import type { ConnectionRoutes } from './route';

/** How readable a drawn graph is. */
export interface LayoutReadability {
  /** Pairs of a connection and a card of another node that it passes under. */
  covered: number;
  /** Pairs of connections that cross. Those that share an end are not counted. */
  crossings: number;
  /** The area of the smallest rectangle around all cards, in square pixels. */
  area: number;
}

/** Measures a graph as drawn, its connections along `routes`. */
export function measureReadability(
  definition: WorkflowDefinition,
  catalogue: NodeTypesByName,
  routes: ConnectionRoutes = new Map(),
): LayoutReadability {
  const drawn = toDrawnDefinition(definition);
  const { boxes, connectionEnds: endsOf } = computeGeometry(drawn, catalogue);
  const lines = drawn.connections.flatMap((connection) => {
    const ends = endsOf(connection);
    return ends
      ? [{ connection, points: curvesToPoints(connectionCurves(ends, routes.get(connectionId(connection))?.way)) }]
      : [];
  });
  let [covered, crossings] = [0, 0];
  for (const [at, { connection, points }] of lines.entries()) {
    for (const [id, box] of boxes) {
      if (id === connection.sourceNode || id === connection.targetNode) continue;
      if (points.some((point, index) => index > 0 && doesLineEnterBox(points[index - 1] ?? point, point, box)))
        covered += 1;
    }
    for (const other of lines.slice(at + 1)) {
      const { sourceNode, targetNode } = other.connection;
      if (sourceNode === connection.sourceNode && other.connection.sourcePort === connection.sourcePort) continue;
      if (targetNode === connection.targetNode) continue;
      if (doLinesCross(points, other.points)) crossings += 1;
    }
  }
  const all = [...boxes.values()];
  if (all.length === 0) return { covered, crossings, area: 0 };
  const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))];
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  return { covered, crossings, area: (right - left) * (bottom - top) };
}

const doLinesCross = (one: readonly XYPosition[], other: readonly XYPosition[]): boolean =>
  one.some((b, i) => {
    const a = one[i - 1];
    return a !== undefined && other.some((d, j) => j > 0 && doSegmentsCross(a, b, other[j - 1] ?? d, d));
  });

const sideOfLine = (a: XYPosition, b: XYPosition, c: XYPosition) =>
  Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

/** Whether two straight lines cross somewhere other than at their ends. */
const doSegmentsCross = (a: XYPosition, b: XYPosition, c: XYPosition, d: XYPosition): boolean =>
  sideOfLine(a, b, c) * sideOfLine(a, b, d) < 0 && sideOfLine(c, d, a) * sideOfLine(c, d, b) < 0;
