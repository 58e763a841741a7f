import type { XYPosition } from '@xyflow/react';
import type { NodeConnection } from '@/contract/workflows/workflow';

/** Finds a connection that is drawn in a picture, by a point and a distance in canvas coordinates. */
export type FindConnection = (at: XYPosition, within: number) => NodeConnection | undefined;

/** How far from a connection a drop still hits it while the canvas is zoomed out, in pixels of the screen. */
export const CONNECTION_HIT_RADIUS = 10;

/** The middle and four points of a unit circle: where the hit test looks for a thin line. */
const HIT_TEST_OFFSETS = [
  { x: 0, y: 0 },
  { x: 0, y: -1 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 1, y: 0 },
];

/**
 * The id of the connection at a point of the screen, also below other elements; with `reach`, also next to the point.
 */
export function connectionIdAt({ x, y }: XYPosition, reach = 0): string | undefined {
  for (const step of reach > 0 ? HIT_TEST_OFFSETS : HIT_TEST_OFFSETS.slice(0, 1)) {
    const found = document.elementsFromPoint(x + step.x * reach, y + step.y * reach);
    const edge = found.map((element) => element.closest('.react-flow__edge')).find((each) => each !== null);
    const id = edge?.getAttribute('data-id');
    if (id) return id;
  }
  return undefined;
}
