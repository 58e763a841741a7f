import type { XYPosition } from '@xyflow/react';
import type { Definition } from '@/contract/workflows/workflow';
import { move } from '@/components/graph/edits/edits';
import type { Catalogue } from '@/components/graph/flow';

/** Whether a canvas has so little that a proposal for it is a new workflow. */
export const isBare = ({ nodes }: Definition): boolean => nodes.length <= 1;

/**
 * A proposal as it is drawn. A new workflow is laid out; in a larger one the nodes stay where they are, unless all are to be arranged. The
 * first node stays in any case.
 */
export async function arranged(
  before: Definition,
  proposed: Definition,
  catalogue: Catalogue,
  isWhole: boolean,
): Promise<Definition> {
  if (!isBare(before) && !isWhole) return proposed;
  try {
    const { layout } = await import('@/components/graph/layout/layout');
    const places = await layout(proposed, catalogue);
    const kept = before.nodes.find(({ id }) => places.has(id));
    return move(proposed, kept ? shifted(places, places.get(kept.id) ?? kept.position, kept.position) : places);
  } catch {
    // The places of the proposal are good enough.
    return proposed;
  }
}

const shifted = (places: ReadonlyMap<string, XYPosition>, from: XYPosition, to: XYPosition) =>
  new Map([...places].map(([id, { x, y }]) => [id, { x: x - from.x + to.x, y: y - from.y + to.y }]));
