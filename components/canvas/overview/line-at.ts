import type { XYPosition } from '@xyflow/react';
import type { Connection } from '@/contract/workflows/workflow';
import { pointsOf } from '@/components/graph/layout/curve';
import type { SceneLine } from './scene';

/** The connection of the picture that is nearest to a point, at most `within` away; all in canvas coordinates. */
export function lineAt(lines: readonly SceneLine[], at: XYPosition, within: number): Connection | undefined {
  let nearest: Connection | undefined;
  let least = within;
  for (const { connection, curves } of lines) {
    const points = pointsOf(curves);
    for (const [index, point] of points.entries()) {
      const distance = distanceTo(at, points[index - 1] ?? point, point);
      if (distance > least) continue;
      least = distance;
      nearest = connection;
    }
  }
  return nearest;
}

/** The distance of a point from the straight line between two others. */
function distanceTo(at: XYPosition, a: XYPosition, b: XYPosition): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / length));
  return Math.hypot(at.x - a.x - share * dx, at.y - a.y - share * dy);
}
