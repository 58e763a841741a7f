import type { Node, ReactFlowInstance } from '@xyflow/react';
import { CARD_SIZE } from '@/components/graph/layout/card';
import { selectFirstBoxes, type ViewSize } from '@/components/graph/viewport';

const FIT_MARGIN = 48;
export const FIT_VIEW_OPTIONS = { padding: `${FIT_MARGIN}px`, maxZoom: 1 } as const;

/** The smallest zoom at which a canvas opens, so that its cards can be read on a phone. */
const MIN_FIRST_ZOOM = 0.65;

/** The height at the bottom of the canvas that a panel covers. */
let coveredHeight = 0;

/** Keeps the workflow out of the lowest part of the canvas where it is fitted, until the returned function is called. */
export function keepBottomClear(height: number): () => void {
  coveredHeight = height;
  return () => {
    coveredHeight = 0;
  };
}

/** The options for a view that is fitted now. The same object while nothing covers the canvas. */
const fitOptions = () =>
  coveredHeight === 0
    ? FIT_VIEW_OPTIONS
    : ({
        ...FIT_VIEW_OPTIONS,
        padding: { x: `${FIT_MARGIN}px`, top: `${FIT_MARGIN}px`, bottom: `${coveredHeight}px` },
      } as const);

/** The options of `fitView` for the whole workflow, with the cards that the picture of the overview shows. */
export const fitWorkflowOptions = (flow: ReactFlowInstance) => ({
  ...fitOptions(),
  includeHiddenNodes: true,
  nodes: flow.getNodes().filter((node) => !node.hidden || 'isPictured' in node),
});

/** The options of `fitView` for a canvas that opens: the whole workflow if its cards can be read, or else its begin. */
export function fitFirstViewOptions(nodes: readonly Node[], viewSize: ViewSize) {
  const boxes = nodes
    .filter(({ parentId, type }) => parentId === undefined && type !== 'note' && type !== 'frame')
    .map(({ id, position, width, height, measured }) => ({
      id,
      ...position,
      width: width ?? measured?.width ?? CARD_SIZE.width,
      height: height ?? measured?.height ?? CARD_SIZE.height,
    }));
  const first = selectFirstBoxes(boxes, viewSize, { minZoom: MIN_FIRST_ZOOM, margin: FIT_MARGIN });
  return first.length === boxes.length ? fitOptions() : { ...fitOptions(), nodes: first.map(({ id }) => ({ id })) };
}
