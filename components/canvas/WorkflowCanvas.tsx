import '@xyflow/react/dist/style.css';
import { ReactFlow, useStore, useStoreApi, type Viewport } from '@xyflow/react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { createStore } from '@/components/client/store';
import { useReferences } from '@/components/client/queries/useReferences';
import { AnnotatingContext, useAnnotating } from './annotations/actions';
import type { CanvasEvents } from './events';
import { MANY, type Catalogue } from '@/components/graph/flow';
import { referencesIn } from '@/components/graph/summary';
import { GroupFrame } from './annotations/GroupFrame';
import { CanvasOverlays, GRID } from './CanvasOverlays';
import type { FindConnection } from './hit-test';
import { FIT } from './fit';
import { storeViewport, storedViewport } from './stored-viewport';
import { MarksContext, NO_MARKS, type Marks } from './marks';
import { FAR_ZOOM, isLiveEdge, useIsOverview, useLive, withoutPictured } from './overview/live';
import { NodeCard } from './NodeCard';
import { ContinueContext } from './OpenEnd';
import { KeepTriggersInView } from './triggers/KeepTriggersInView';
import { TriggerCard } from './triggers/TriggerCard';
import { TriggersContext, useTriggerIds, type CanvasTrigger } from './triggers/canvas-trigger';
import { NoteSheet } from './annotations/NoteSheet';
import { useDrawing } from './useDrawing';
import { useHandlers } from './useHandlers';
import { useIsTouch } from './touch/useTouch';
import { useConnecting } from './useConnecting';
import { InsertContext, ConnectionEdge } from './ConnectionEdge';
import classes from './WorkflowCanvas.module.css';

/** Most workflows are too small for it. */
const OverviewPicture = lazyWithPreload(() =>
  import('./overview/OverviewPicture').then((module) => module.OverviewPicture),
);
const nodeTypes = { card: NodeCard, note: NoteSheet, frame: GroupFrame, trigger: TriggerCard };
const NO_TRIGGERS: readonly CanvasTrigger[] = [];
const edgeTypes = { connection: ConnectionEdge };
/** Half the distance between two background dots. */
const SNAP: [number, number] = [GRID / 2, GRID / 2];
const FIT_ALL = { ...FIT, includeHiddenNodes: true };
const MIDDLE_BUTTON = [1];
const GESTURES = {
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  zoomOnDoubleClick: false,
  snapToGrid: true,
  snapGrid: SNAP,
  connectionRadius: 28,
  multiSelectionKeyCode: ['Shift', 'Meta', 'Control'],
  panActivationKeyCode: ['Space', 'Control', 'Meta'],
  panOnScroll: true,
};

/** Whether it probably does; then the code that draws it is loaded. */
function mayOpenAsOverview({ nodes }: Definition, view: Viewport | undefined): boolean {
  if (nodes.length <= MANY || (view && view.zoom >= FAR_ZOOM)) return false;
  void OverviewPicture.load();
  return true;
}

interface Props {
  definition: Definition;
  catalogue: Catalogue;
  results?: Marks['results'];
  issues?: Marks['issues'];
  changes?: Marks['changes'];
  disconnected?: Marks['disconnected'];
  warnings?: Marks['warnings'];
  pinned?: Marks['pinned'];
  selectedIds: readonly string[];
  onSelect(ids: readonly string[]): void;
  /** Absent: the canvas is read-only. Consecutive changes with the same `intent` are one undo step. */
  onChange?(definition: Definition, intent?: string): void;
  events?: CanvasEvents;
  /** What starts runs, drawn before the start node. Undefined: there are none, or they are loading. */
  triggers?: readonly CanvasTrigger[];
  /** Key under which the viewport is stored. Absent: the graph is fitted to the view. */
  viewName?: string;
  children?: ReactNode;
}

/** The store of what is marked at nodes, from the props. */
function useMarks({ definition, results, issues, changes, disconnected, warnings, pinned }: Props) {
  const [marks] = useState(() => createStore<Marks>(NO_MARKS));
  useEffect(() => {
    marks.set({
      results: results ?? NO_MARKS.results,
      issues: issues ?? NO_MARKS.issues,
      changes: changes ?? NO_MARKS.changes,
      disconnected: disconnected ?? NO_MARKS.disconnected,
      warnings: warnings ?? NO_MARKS.warnings,
      pinned: pinned ?? NO_MARKS.pinned,
    });
  }, [marks, results, issues, changes, disconnected, warnings, pinned]);
  const references = useReferences(useMemo(() => referencesIn(definition), [definition]));
  useEffect(() => marks.set({ references }), [marks, references]);
  return marks;
}

/** The nodes and connections that React Flow draws. In an overview a picture shows the others. */
function useDrawn(drawing: ReturnType<typeof useDrawing>, isOverview: boolean) {
  const [pointedId, point] = useState<string>();
  const live = useLive(drawing.nodes, isOverview);
  const nodes = useMemo(
    () => (isOverview ? withoutPictured(drawing.nodes, live, pointedId) : drawing.nodes),
    [drawing.nodes, isOverview, live, pointedId],
  );
  const edges = useMemo(
    () => (isOverview ? drawing.edges.filter((edge) => isLiveEdge(edge, live)) : drawing.edges),
    [drawing.edges, isOverview, live],
  );
  return { nodes, edges, live, point };
}

/** How the canvas reacts to a mouse, or to fingers: one finger pans, and the same gesture of a mouse selects. */
function useGestures(isEditable: boolean) {
  const isTouch = useIsTouch();
  const isSelecting = isEditable && !isTouch;
  return {
    ...GESTURES,
    nodesDraggable: isEditable,
    nodesConnectable: isEditable,
    selectionOnDrag: isSelecting,
    panOnDrag: isSelecting ? MIDDLE_BUTTON : true,
  };
}

/**
 * Reports the selection that React Flow has now, not the one that it passes, which is of its last render. When a canvas opens with a selected
 * node, the passed one is still empty, and the two selections would replace each other without end.
 */
function useSelect(onSelect: Props['onSelect']) {
  const flow = useStoreApi();
  return useCallback(
    () => onSelect(flow.getState().nodes.flatMap(({ id, selected }) => (selected ? [id] : []))),
    [flow, onSelect],
  );
}

/** Shows a definition and, with `onChange`, edits it. Needs a ReactFlowProvider around it. */
export function WorkflowCanvas(props: Props) {
  const { definition, catalogue, viewName, selectedIds, onSelect, onChange, events, triggers, children } = props;
  const marks = useMarks(props);
  const [view] = useState(() => (viewName === undefined ? undefined : storedViewport(viewName, definition)));
  const isEditable = onChange !== undefined;
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < FAR_ZOOM);
  const triggerIds = useTriggerIds(triggers ?? NO_TRIGGERS);
  const [opensAsOverview] = useState(() => mayOpenAsOverview(definition, view));
  const isOverview = useIsOverview(definition.nodes.length, opensAsOverview);
  const drawing = useDrawing(definition, catalogue, selectedIds, onChange, triggerIds);
  const { nodes, edges, live, point } = useDrawn(drawing, isOverview);
  const annotating = useAnnotating(definition, onChange);
  const connecting = useConnecting({ definition, catalogue, marks, onChange, events });
  const gestures = useGestures(isEditable);
  const finderRef = useRef<FindConnection>(undefined);
  const { onInsert, onLooseEnd, ...handlers } = useHandlers({
    definition,
    edges: drawing.edges,
    isEditable,
    onSelect,
    events,
    finderRef,
  });
  const select = useSelect(onSelect);
  return (
    <MarksContext value={marks}>
      <InsertContext value={isEditable && events ? onInsert : undefined}>
        <ContinueContext value={isEditable && events ? onLooseEnd : undefined}>
          <AnnotatingContext value={annotating}>
            <TriggersContext value={triggers ?? NO_TRIGGERS}>
              <ReactFlow
                className={classes.canvas}
                data-far={isFar || undefined}
                {...drawing}
                nodes={nodes}
                edges={edges}
                {...connecting}
                {...handlers}
                {...gestures}
                nodeTypes={nodeTypes}
                edgeTypes={edgeTypes}
                onSelectionChange={select}
                fitView={view === undefined}
                defaultViewport={view}
                onMoveEnd={(_, viewport) => viewName !== undefined && storeViewport(viewName, viewport)}
                fitViewOptions={opensAsOverview ? FIT_ALL : FIT}
                minZoom={0.1}
                maxZoom={2}
                onlyRenderVisibleElements={definition.nodes.length > MANY}
                attributionPosition="bottom-right"
                aria-label="Workflow canvas"
              >
                {isOverview && (
                  <OverviewPicture
                    definition={definition}
                    catalogue={catalogue}
                    edges={drawing.edges}
                    live={live}
                    finderRef={finderRef}
                    onPoint={point}
                    onSelect={onSelect}
                  />
                )}
                <CanvasOverlays
                  selectedId={selectedIds.length === 1 ? selectedIds[0] : undefined}
                  isLarge={definition.nodes.length > MANY}
                />
                <KeepTriggersInView count={triggers?.length} isFitted={view === undefined} />
                {children}
              </ReactFlow>
            </TriggersContext>
          </AnnotatingContext>
        </ContinueContext>
      </InsertContext>
    </MarksContext>
  );
}
