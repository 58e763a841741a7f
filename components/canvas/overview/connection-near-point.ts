import type { XYPosition } from '@xyflow/react';
import type { NodeConnection } from '@/contract/workflows/workflow';
import { curvesToPoints } from '@/components/graph/layout/curve';
import type { OverviewLine } from './scene';

/** The connection of the picture that is nearest to a point, at most `within` away; all in canvas coordinates. */
export function connectionNearPoint(
  lines: readonly OverviewLine[],
  at: XYPosition,
  within: number,
): NodeConnection | undefined {
  let nearest: NodeConnection | undefined;
  let least = within;
  for (const { connection, curves } of lines) {
    const points = curvesToPoints(curves);
    for (const [index, point] of points.entries()) {
      const distance = distanceToSegment(at, points[index - 1] ?? point, point);
      if (distance > least) continue;
      least = distance;
      nearest = connection;
    }
  }
  return nearest;
}

/** The distance of a point from the straight line between two others. */
function distanceToSegment(at: XYPosition, a: XYPosition, b: XYPosition): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length));
  return Math.hypot(at.x - a.x - share * dx, at.y - a.y - share * dy);
}
