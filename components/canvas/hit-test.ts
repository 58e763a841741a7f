import type { XYPosition } from '@xyflow/react';

/** The id of the connection at a point of the screen, also below other elements. */
export function connectionIdAt({ x, y }: XYPosition): string | undefined {
  const edges = document.elementsFromPoint(x, y).map((element) => element.closest('.react-flow__edge'));
  return edges.find((edge) => edge !== null)?.getAttribute('data-id') ?? undefined;
}
