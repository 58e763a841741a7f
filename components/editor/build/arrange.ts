import type { XYPosition } from '@xyflow/react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { moveItems } from '@/components/graph/edits/edits';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';

/** Whether a canvas has so few nodes that a proposal for it counts as a new workflow. */
export const isAlmostEmpty = ({ nodes }: WorkflowDefinition): boolean => nodes.length <= 1;

/**
 * A proposal as it is drawn. A new workflow is laid out; in a larger one the nodes stay where they are, unless all are
 * to be arranged. The first node stays in any case.
 */
export async function arrangeProposal(
  before: WorkflowDefinition,
  proposed: WorkflowDefinition,
  catalogue: NodeTypesByName,
  isWhole: boolean,
): Promise<WorkflowDefinition> {
  if (!isAlmostEmpty(before) && !isWhole) return proposed;
  try {
    const { layOutDefinition: layout } = await import('@/components/graph/layout/layout');
    const places = await layout(proposed, catalogue);
    const kept = before.nodes.find(({ id }) => places.has(id));
    return moveItems(
      proposed,
      kept ? shiftPositions(places, places.get(kept.id) ?? kept.position, kept.position) : places,
    );
  } catch {
    // The places of the proposal are good enough.
    return proposed;
  }
}

const shiftPositions = (places: ReadonlyMap<string, XYPosition>, from: XYPosition, to: XYPosition) =>
  new Map([...places].map(([id, { x, y }]) => [id, { x: x - from.x + to.x, y: y - from.y + to.y }]));
