import { useReactFlow, useStore } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { glide } from './glide';
import { watchPress, whenReleased } from './press';

const MARGIN = 24;
export const FIT = { padding: '48px', maxZoom: 1 } as const;

/**
 * When a panel takes room from the canvas, the selected node, else the whole graph, moves back into sight; but not under
 * a hand that is dragging.
 */
export function KeepInView({ selectedId }: { selectedId: string | undefined }) {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const flow = useReactFlow();
  const before = useRef(width);
  useEffect(() => watchPress(), []);
  useEffect(() => {
    const wasWider = before.current > width;
    before.current = width;
    const look = () => {
      const node = selectedId === undefined ? undefined : flow.getInternalNode(selectedId);
      if (!node) {
        if (wasWider) void flow.fitView({ ...FIT, ...glide(250) });
        return;
      }
      const { x, y, zoom } = flow.getViewport();
      const { width: nodeWidth = 236, height: nodeHeight = 60 } = node.measured;
      const { positionAbsolute: place } = node.internals;
      const [left, top] = [place.x * zoom + x, place.y * zoom + y];
      const isSeen =
        left >= MARGIN &&
        top >= MARGIN &&
        left + nodeWidth * zoom <= width - MARGIN &&
        top + nodeHeight * zoom <= height - MARGIN;
      if (!isSeen) void flow.setCenter(place.x + nodeWidth / 2, place.y + nodeHeight / 2, { zoom, ...glide(250) });
    };
    return whenReleased(look);
  }, [selectedId, width, height, flow]);
  return null;
}
