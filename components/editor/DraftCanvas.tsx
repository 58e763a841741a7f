import { useMemo, type ReactNode } from 'react';
import type { CanvasEvents } from '@/components/canvas/events';
import { LoopFrameContext, type LoopFrameActions } from '@/components/canvas/loops/loop-frame-context';
import type { CanvasTrigger } from '@/components/canvas/triggers/canvas-trigger';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { WorkflowCanvas } from '@/components/canvas/WorkflowCanvas';
import type { LiveRun } from '@/components/runs/live';
import type { ReadCanvasRounds } from '@/components/runs/timeline/useCanvasRounds';
import { useDraftStore } from './draft/draft';
import { LoopFrameTools } from './frames/LoopFrameTools';
import { drawnLoopPath, hasRoomForFrames, isLoopOpen, openLoopAlone, toggleLoopFrame } from './frames/open-loops';
import { useDrawnCanvas } from './frames/useDrawnCanvas';
import { useScopedEvents } from './frames/useScopedEvents';

interface Props {
  catalogue: NodeTypesByName;
  /** The run shown. */
  execution: LiveRun | undefined;
  /** Reads its results; undefined: none is shown. */
  readRounds: ReadCanvasRounds | undefined;
  events: CanvasEvents;
  triggers: readonly CanvasTrigger[] | undefined;
  children: ReactNode;
}

/** The canvas of the draft. Renders on each change of the definition or the selection. */
export function DraftCanvas({ catalogue, execution, readRounds, events, triggers, children }: Props) {
  const store = useDraftStore();
  const drawn = useDrawnCanvas(catalogue, execution, readRounds);
  const { definition, view, marks, results, agentCalls, previewed, notRun, selectedIds, change, select } = drawn;
  const scoped = useScopedEvents(events, catalogue);
  const loops = useMemo((): LoopFrameActions => {
    const pathOf = (id: string) => drawnLoopPath(store.get(), catalogue, id);
    return {
      onToggle: (id) => {
        const show = hasRoomForFrames() || isLoopOpen(store.get(), pathOf(id)) ? toggleLoopFrame : openLoopAlone;
        store.set(show(store.get(), pathOf(id)));
      },
      onOpenAlone: (id) => store.set(openLoopAlone(store.get(), pathOf(id))),
      renderTools: (id) => <LoopFrameTools path={pathOf(id)} />,
    };
  }, [store, catalogue]);
  return (
    <LoopFrameContext value={loops}>
      <WorkflowCanvas
        key={view.join('/')}
        definition={definition}
        catalogue={catalogue}
        results={results}
        agentCalls={agentCalls}
        issues={marks.issues}
        disconnected={marks.disconnected}
        warnings={marks.warnings}
        pinned={marks.pinned}
        previewed={previewed}
        notRun={notRun}
        viewName={[store.get().saved.id, ...view].join('/')}
        selectedIds={selectedIds}
        onSelect={select}
        onChange={change}
        events={scoped}
        triggers={view.length === 0 ? triggers : undefined}
      >
        {children}
      </WorkflowCanvas>
    </LoopFrameContext>
  );
}
