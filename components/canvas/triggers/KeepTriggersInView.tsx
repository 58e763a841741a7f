import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { visibleShare } from '@/components/graph/viewport';
import { canvasAnimation } from '../canvas-animation';
import { fitFirstViewOptions, fitWorkflowOptions } from '../fit-view';

interface Props {
  /** Undefined while the triggers are loading. */
  count: number | undefined;
  /** The view was fitted at first. A stored view stays as it is until a trigger is added. */
  isFitted: boolean;
}

/** Triggers are loaded after the graph: fits the view again when they appear outside of it. */
export function KeepTriggersInView({ count, isFitted }: Props) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const isDrawn = useStore(
    ({ nodes }) =>
      count !== undefined && nodes.reduce((sum, { type }) => sum + Number(type === 'trigger'), 0) === count,
  );
  const before = useRef<number>(undefined);
  useEffect(() => {
    if (count === undefined || !isDrawn) return;
    const isWanted = count > (before.current ?? 0) && (isFitted || before.current !== undefined);
    before.current = count;
    if (!isWanted) return;
    const { x, y, zoom } = flow.getViewport();
    const isHidden = flow
      .getNodes()
      .filter(({ type }) => type === 'trigger')
      .some(({ position, width = 0, height = 0 }) => {
        const box = { x: position.x * zoom + x, y: position.y * zoom + y, width: width * zoom, height: height * zoom };
        return visibleShare(box, store.getState()) < 1;
      });
    if (!isHidden) return;
    const nodes = flow.getNodes();
    // The overview shows the whole workflow.
    const isOverview = nodes.some((node) => 'isPictured' in node);
    const options = isOverview ? fitWorkflowOptions(flow) : fitFirstViewOptions(nodes, store.getState());
    void flow.fitView({ ...options, ...canvasAnimation(250) });
  }, [count, isDrawn, isFitted, flow, store]);
  return null;
}
