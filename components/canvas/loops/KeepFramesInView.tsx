import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { visibleShare } from '@/components/graph/viewport';
import { canvasAnimation } from '../canvas-animation';
import { FIT_VIEW_OPTIONS } from '../fit-view';

const SEPARATOR = '\n';

/** A loop that is opened needs more room than its card: it is brought into view where a part of it would be hidden. */
export function KeepFramesInView() {
  const flow = useReactFlow();
  const store = useStoreApi();
  const drawn = useStore(({ nodes }) =>
    nodes
      .filter(({ type, measured }) => type === 'loop' && measured?.width)
      .map(({ id }) => id)
      .join(SEPARATOR),
  );
  const before = useRef<readonly string[]>(undefined);
  useEffect(() => {
    const ids = drawn.split(SEPARATOR).filter((id) => id !== '');
    const opened = before.current && ids.find((id) => !before.current?.includes(id));
    before.current = ids;
    const node = opened === undefined ? undefined : flow.getInternalNode(opened);
    if (!node) return;
    const { x, y, zoom } = flow.getViewport();
    const { positionAbsolute: place } = node.internals;
    const { width = 0, height = 0 } = node.measured;
    const box = { x: place.x * zoom + x, y: place.y * zoom + y, width: width * zoom, height: height * zoom };
    if (visibleShare(box, store.getState()) < 1)
      void flow.fitView({ ...FIT_VIEW_OPTIONS, nodes: [node], maxZoom: zoom, ...canvasAnimation(250) });
  }, [drawn, flow, store]);
  return null;
}
