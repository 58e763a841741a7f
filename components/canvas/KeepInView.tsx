import { useReactFlow, useStore, type ReactFlowInstance } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { glide } from './glide';
import { watchPress, whenReleased } from './press';
import { shareSeen, wayIntoSight, type Box, type Room } from './sight';

const MARGIN = 24;
/** Of what was put somewhere by hand, this much is enough to be seen. */
const ENOUGH = 0.5;
export const FIT = { padding: '48px', maxZoom: 1 } as const;

/**
 * What is selected moves into sight, as little as is needed, and not under a hand that is dragging; the focus goes along,
 * so that who walks by keys hears where they are. Who sees the whole graph still does when a panel takes room from it.
 */
export function KeepInView({ selectedId }: { selectedId: string | undefined }) {
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  // What is new is selected before it is drawn.
  const isDrawn = useStore(({ nodeLookup }) => selectedId !== undefined && nodeLookup.has(selectedId));
  const flow = useReactFlow();
  const before = useRef({ width, height });
  useEffect(() => watchPress(), []);
  useEffect(() => {
    const [was, room] = [before.current, { width, height }];
    before.current = room;
    return whenReleased((byHand) => {
      if (selectedId !== undefined && isDrawn)
        return void show(flow, selectedId, room, byHand).then(() => focus(selectedId));
      const isSeenNoMore = selectedId === undefined && width < was.width && seesAll(flow, was) && !seesAll(flow, room);
      if (isSeenNoMore) void flow.fitView({ ...FIT, ...glide(250) });
    });
  }, [selectedId, isDrawn, width, height, flow]);
  return null;
}

async function show(flow: ReactFlowInstance, id: string, room: Room, byHand: boolean): Promise<void> {
  const node = flow.getInternalNode(id);
  if (!node) return;
  const { width = 236, height = 60 } = node.measured;
  const box = onScreen(flow, { ...node.internals.positionAbsolute, width, height });
  if (byHand && shareSeen(box, room) >= ENOUGH) return;
  const way = wayIntoSight(box, room, MARGIN);
  if (way.x === 0 && way.y === 0) return;
  const { x, y, zoom } = flow.getViewport();
  await flow.setViewport({ x: x + way.x, y: y + way.y, zoom }, glide(250));
}

/** Only from the canvas, or what it lies in: who is in a panel stays there. */
function focus(id: string): void {
  const { activeElement } = document;
  const element = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`);
  if (element && (activeElement?.contains(element) || activeElement?.matches('.react-flow__node')))
    element.focus({ preventScroll: true });
}

function seesAll(flow: ReactFlowInstance, room: Room): boolean {
  const nodes = flow.getNodes();
  return nodes.length > 0 && shareSeen(onScreen(flow, flow.getNodesBounds(nodes)), room) > 0.999;
}

function onScreen(flow: ReactFlowInstance, { x, y, width, height }: Box): Box {
  const view = flow.getViewport();
  const { zoom } = view;
  return { x: x * zoom + view.x, y: y * zoom + view.y, width: width * zoom, height: height * zoom };
}
