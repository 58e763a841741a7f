import { useReactFlow, useStore, type ReactFlowInstance, type XYPosition } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { animated } from './animated';
import { trackPointerPress, afterRelease } from './pointer-press';
import { panAfterResize, panIntoView, visibleShare, type Box, type ViewSize } from '@/components/graph/viewport';

/** Room for the plus button at the output of the node. */
const MARGIN = 48;
/** Room for the controls at the edge of the canvas. */
const EDGE = 72;
/** A node that was dragged or dropped by hand stays where it is if this share of it is visible. */
const ENOUGH = 0.5;
/** Of a node that has not been measured. */
const WIDTH = 236;
const HEIGHT = 60;

/**
 * Pans the selected node into view, as little as needed and never during a drag. The focus follows, so that screen
 * readers announce the node. The zoom stays, so that an opened panel does not make the text smaller. Without a selected
 * node, what is in the middle stays there, and a panel that would hide all visible nodes pans them into view.
 */
export function KeepInView({ selectedId }: { selectedId: string | undefined }) {
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
    if (selectedId === undefined && before?.height) void pan(flow, wayAfterResize(boxesOf(flow), [before, viewSize]));
    return afterRelease((byHand) => {
      if (selectedId !== undefined && isDrawn)
        return void show(flow, selectedId, viewSize, byHand).then(() => focus(selectedId));
    });
  }, [selectedId, isDrawn, width, height, flow]);
  return null;
}

/** What is in the middle of the height stays there, when a panel opens below; then as `panAfterResize`. */
function wayAfterResize(boxes: Box[], [before, after]: readonly [ViewSize, ViewSize]): XYPosition {
  const down = (after.height - before.height) / 2;
  if (after.width >= before.width) return { x: 0, y: down };
  const moved = boxes.map((box) => ({ ...box, y: box.y + down }));
  const way = panAfterResize(moved, [{ ...before, height: after.height }, after], { enough: ENOUGH, margin: EDGE });
  return { x: way.x, y: way.y + down };
}

async function show(flow: ReactFlowInstance, id: string, viewSize: ViewSize, byHand: boolean): Promise<void> {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { width = WIDTH, height = HEIGHT } = node.measured;
  const box = onScreen(flow, { ...node.internals.positionAbsolute, width, height });
  if (byHand && visibleShare(box, viewSize) >= ENOUGH) return;
  await pan(flow, panIntoView(box, viewSize, MARGIN));
}

async function pan(flow: ReactFlowInstance, way: XYPosition): Promise<void> {
  if (way.x === 0 && way.y === 0) return;
  const { x, y, zoom } = flow.getViewport();
  await flow.setViewport({ x: x + way.x, y: y + way.y, zoom }, animated(250));
}

const boxesOf = (flow: ReactFlowInstance): Box[] =>
  flow
    .getNodes()
    .map(({ position, measured }) =>
      onScreen(flow, { ...position, width: measured?.width ?? WIDTH, height: measured?.height ?? HEIGHT }),
    );

/** Moves the focus only if it is on the canvas or an ancestor of it, never out of a panel. */
function focus(id: string): void {
  const { activeElement } = document;
  const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  if (element && (activeElement?.contains(element) || activeElement?.matches('.react-flow__node')))
    element.focus({ preventScroll: true });
}

function onScreen(flow: ReactFlowInstance, { x, y, width, height }: Box): Box {
  const view = flow.getViewport();
  const { zoom } = view;
  return { x: x * zoom + view.x, y: y * zoom + view.y, width: width * zoom, height: height * zoom };
}
