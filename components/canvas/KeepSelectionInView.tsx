import { useReactFlow, useStore, type ReactFlowInstance, type XYPosition } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { canvasAnimation } from './canvas-animation';
import { trackPointerPress, afterPointerRelease } from './pointer-press';
import { panAfterResize, panIntoView, visibleShare, type CanvasBox, type ViewSize } from '@/components/graph/viewport';

/** Room for the plus button at the output of the node. */
const NODE_VIEW_MARGIN = 48;
/** Room for the controls at the edge of the canvas. */
const CONTROLS_MARGIN = 72;
/** A node that was dragged or dropped by hand stays where it is if this share of it is visible. */
const MIN_VISIBLE_SHARE = 0.5;
/** The size that is assumed for a node which has not been measured. */
const UNMEASURED_WIDTH = 236;
const UNMEASURED_HEIGHT = 60;

/**
 * Pans the selected node into view, as little as needed and never during a drag. The focus follows, so that screen
 * readers announce the node. The zoom stays, so that an opened panel does not make the text smaller. Without a selected
 * node, what is in the middle stays there, and a panel that would hide all visible nodes pans them into view.
 */
export function KeepSelectionInView({ selectedId }: { selectedId: string | undefined }) {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // A new node is selected before it is rendered.
  const isDrawn = useStore(({ nodeLookup }) => {
    const node = nodeLookup.get(selectedId ?? '');
    return node !== undefined && !node.hidden;
  });
  const flow = useReactFlow();
  const size = useRef<ViewSize>(undefined);
  useEffect(() => trackPointerPress(), []);
  useEffect(() => {
    const viewSize = { width, height };
    const before = size.current;
    size.current = viewSize;
    if (selectedId === undefined && before?.height)
      void panViewportBy(flow, panOffsetAfterResize(nodeScreenBoxes(flow), [before, viewSize]));
    return afterPointerRelease((byHand) => {
      if (selectedId !== undefined && isDrawn)
        return void panNodeIntoView(flow, selectedId, viewSize, byHand).then(() => focusNodeElement(selectedId));
    });
  }, [selectedId, isDrawn, width, height, flow]);
  return null;
}

/** Keeps the vertical middle in place when a panel opens below, then pans as `panAfterResize` does. */
function panOffsetAfterResize(boxes: CanvasBox[], [before, after]: readonly [ViewSize, ViewSize]): XYPosition {
  const down = (after.height - before.height) / 2;
  if (after.width >= before.width) return { x: 0, y: down };
  const moved = boxes.map((box) => ({ ...box, y: box.y + down }));
  const way = panAfterResize(moved, [{ ...before, height: after.height }, after], {
    enough: MIN_VISIBLE_SHARE,
    margin: CONTROLS_MARGIN,
  });
  return { x: way.x, y: way.y + down };
}

async function panNodeIntoView(
  flow: ReactFlowInstance,
  id: string,
  viewSize: ViewSize,
  byHand: boolean,
): Promise<void> {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { width = UNMEASURED_WIDTH, height = UNMEASURED_HEIGHT } = node.measured;
  const box = toScreenBox(flow, { ...node.internals.positionAbsolute, width, height });
  if (byHand && visibleShare(box, viewSize) >= MIN_VISIBLE_SHARE) return;
  await panViewportBy(flow, panIntoView(box, viewSize, NODE_VIEW_MARGIN));
}

async function panViewportBy(flow: ReactFlowInstance, way: XYPosition): Promise<void> {
  if (way.x === 0 && way.y === 0) return;
  const { x, y, zoom } = flow.getViewport();
  await flow.setViewport({ x: x + way.x, y: y + way.y, zoom }, canvasAnimation(250));
}

const nodeScreenBoxes = (flow: ReactFlowInstance): CanvasBox[] =>
  flow.getNodes().map(({ position, measured }) =>
    toScreenBox(flow, {
      ...position,
      width: measured?.width ?? UNMEASURED_WIDTH,
      height: measured?.height ?? UNMEASURED_HEIGHT,
    }),
  );

/** Moves the focus only if it is on the canvas or an ancestor of it, never out of a panel. */
function focusNodeElement(id: string): void {
  const { activeElement } = document;
  const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  if (element && (activeElement?.contains(element) || activeElement?.matches('.react-flow__node')))
    element.focus({ preventScroll: true });
}

function toScreenBox(flow: ReactFlowInstance, { x, y, width, height }: CanvasBox): CanvasBox {
  const view = flow.getViewport();
  const { zoom } = view;
  return { x: x * zoom + view.x, y: y * zoom + view.y, width: width * zoom, height: height * zoom };
}
