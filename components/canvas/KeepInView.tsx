import { useReactFlow, useStore, type ReactFlowInstance } from '@xyflow/react';
import { useEffect } from 'react';
import { glide } from './glide';
import { trackPointerPress, afterRelease } from './pointer-press';
import { visibleShare, panIntoView, type Box, type ViewSize } from '@/components/graph/viewport';

/** Room for the plus button at the output of the node. */
const MARGIN = 48;
/** A node that was dragged or dropped by hand stays where it is if this share of it is visible. */
const ENOUGH = 0.5;
export const FIT = { padding: '48px', maxZoom: 1 } as const;

/**
 * Pans the selected node into view, as little as needed and never during a drag. The focus follows, so that screen
 * readers announce the node. The zoom stays, so that an opened panel does not make the text smaller.
 */
export function KeepInView({ selectedId }: { selectedId: string | undefined }) {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // A new node is selected before it is rendered.
  const isDrawn = useStore(({ nodeLookup }) => selectedId !== undefined && nodeLookup.has(selectedId));
  const flow = useReactFlow();
  useEffect(() => trackPointerPress(), []);
  useEffect(() => {
    const viewSize = { width, height };
    return afterRelease((byHand) => {
      if (selectedId !== undefined && isDrawn)
        return void show(flow, selectedId, viewSize, byHand).then(() => focus(selectedId));
    });
  }, [selectedId, isDrawn, width, height, flow]);
  return null;
}

async function show(flow: ReactFlowInstance, id: string, viewSize: ViewSize, byHand: boolean): Promise<void> {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { width = 236, height = 60 } = node.measured;
  const box = onScreen(flow, { ...node.internals.positionAbsolute, width, height });
  if (byHand && visibleShare(box, viewSize) >= ENOUGH) return;
  const way = panIntoView(box, viewSize, MARGIN);
  if (way.x === 0 && way.y === 0) return;
  const { x, y, zoom } = flow.getViewport();
  await flow.setViewport({ x: x + way.x, y: y + way.y, zoom }, glide(250));
}

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
