import type { XYPosition } from '@xyflow/react';

/** The id of the wire at a point of the screen, whatever lies on top of it. */
export function wireUnder({ x, y }: XYPosition): string | undefined {
  const edges = document.elementsFromPoint(x, y).map((element) => element.closest('.react-flow__edge'));
  return edges.find((edge) => edge !== null)?.getAttribute('data-id') ?? undefined;
}
