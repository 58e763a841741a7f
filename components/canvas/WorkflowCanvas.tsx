import '@xyflow/react/dist/style.css';
import { ReactFlow, useStore, useStoreApi, type FitViewOptions, type Viewport } from '@xyflow/react';
import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { createObservableStore } from '@/components/client/store';
import { useReferenceNames } from '@/components/client/queries/useReferenceNames';
import { AnnotationContext, useAnnotationActions } from './annotations/annotation-actions';
import type { CanvasEvents } from './events';
import { MAX_RENDERED_NODES, type NodeTypesByName } from '@/components/graph/cards-and-edges';
import type { CanvasItem } from '@/components/graph/canvas-items';
import type { DrawnDefinition } from '@/components/graph/drawn';
import { collectNodeReferences } from '@/components/graph/summary';
import { AgentPartCard } from './agents/AgentPartCard';
import { AgentPartContext, type AgentPartActions } from './agents/agent-part-actions';
import { GroupFrame } from './annotations/GroupFrame';
import { CanvasOverlays, CANVAS_DOT_GAP } from './CanvasOverlays';
import type { FindConnection } from './hit-test';
import { FIT_VIEW_OPTIONS, fitFirstViewOptions } from './fit-view';
import { storeViewport, readStoredViewport } from './stored-viewport';
import { CanvasBadgesContext, EMPTY_CANVAS_BADGES, type CanvasBadges } from './canvas-badges';
import {
  MIN_READABLE_ZOOM,
  isEdgeMounted,
  useIsOverview,
  useMountedCardIds,
  hidePicturedCards,
} from './overview/mounted-elements';
import { LoopFrame } from './loops/LoopFrame';
import { NodeCard } from './NodeCard';
import { AddAfterOutputContext } from './OpenOutputButton';
import { KeepTriggersInView } from './triggers/KeepTriggersInView';
import { TriggerCard } from './triggers/TriggerCard';
import { TriggersContext, useDrawnTriggers, type CanvasTrigger } from './triggers/canvas-trigger';
import { NoteSheet } from './annotations/NoteSheet';
import { useCanvasElements } from './useCanvasElements';
import { useCanvasHandlers } from './useCanvasHandlers';
import { useIsTouchPointer } from './touch/useTouch';
import { useConnectionHandlers } from './useConnectionHandlers';
import { InsertNodeContext, ConnectionEdge } from './ConnectionEdge';
import classes from './WorkflowCanvas.module.css';

/** Loaded on demand: most workflows are too small for an overview. */
const LazyOverviewPicture = lazyWithPreload(() =>
  import('./overview/OverviewPicture').then((module) => module.OverviewPicture),
);
/** Loaded on demand: the canvas is drawn before anybody opens a loop. */
const LazyKeepFramesInView = lazyWithPreload(() =>
  import('./loops/KeepFramesInView').then((module) => module.KeepFramesInView),
);
const reactFlowNodeTypes = {
  card: NodeCard,
  loop: LoopFrame,
  note: NoteSheet,
  frame: GroupFrame,
  trigger: TriggerCard,
  agentPart: AgentPartCard,
};
const NO_TRIGGERS: readonly CanvasTrigger[] = [];
const reactFlowEdgeTypes = { connection: ConnectionEdge };
/** Half the distance between two background dots. */
const CANVAS_SNAP_GRID: [number, number] = [CANVAS_DOT_GAP / 2, CANVAS_DOT_GAP / 2];
const FIT_WITH_HIDDEN_NODES = { ...FIT_VIEW_OPTIONS, includeHiddenNodes: true };
const MIDDLE_BUTTON = [1];
const REACT_FLOW_GESTURES = {
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  zoomOnDoubleClick: false,
  snapToGrid: true,
  snapGrid: CANVAS_SNAP_GRID,
  connectionRadius: 28,
  multiSelectionKeyCode: ['Shift', 'Meta', 'Control'],
  panActivationKeyCode: ['Space', 'Control', 'Meta'],
  panOnScroll: true,
};

/** Whether the canvas probably opens as an overview. If so, the code that draws the overview starts loading. */
function mayOpenAsOverview({ nodes }: WorkflowDefinition, view: Viewport | undefined): boolean {
  if (nodes.length <= MAX_RENDERED_NODES || (view && view.zoom >= MIN_READABLE_ZOOM)) return false;
  void LazyOverviewPicture.load();
  return true;
}

interface Props {
  definition: DrawnDefinition;
  catalogue: NodeTypesByName;
  results?: CanvasBadges['results'];
  issues?: CanvasBadges['issues'];
  changes?: CanvasBadges['changes'];
  disconnected?: CanvasBadges['disconnected'];
  warnings?: CanvasBadges['warnings'];
  pinned?: CanvasBadges['pinned'];
  agentCalls?: CanvasBadges['agentCalls'];
  previewed?: CanvasBadges['previewed'];
  notRun?: CanvasBadges['notRun'];
  selectedIds: readonly string[];
  onSelect(ids: readonly string[]): void;
  /** Absent: the canvas is read-only. Consecutive changes with the same `intent` are one undo step. */
  onChange?(definition: DrawnDefinition, intent?: string): void;
  events?: CanvasEvents;
  /** The triggers that are drawn before the start node. Undefined: there are none, or they are loading. */
  triggers?: readonly CanvasTrigger[];
  /** Key under which the viewport is stored. Absent: the graph is fitted to the view. */
  viewName?: string;
  children?: ReactNode;
}

/** Keeps the store of node badges up to date with the props. */
function useCanvasBadgeStore(props: Props) {
  const { definition, results, issues, changes, disconnected, warnings, pinned, agentCalls, previewed, notRun } = props;
  const [marks] = useState(() => createObservableStore<CanvasBadges>(EMPTY_CANVAS_BADGES));
  useEffect(() => {
    marks.set({
      results: results ?? EMPTY_CANVAS_BADGES.results,
      issues: issues ?? EMPTY_CANVAS_BADGES.issues,
      changes: changes ?? EMPTY_CANVAS_BADGES.changes,
      disconnected: disconnected ?? EMPTY_CANVAS_BADGES.disconnected,
      warnings: warnings ?? EMPTY_CANVAS_BADGES.warnings,
      pinned: pinned ?? EMPTY_CANVAS_BADGES.pinned,
      agentCalls: agentCalls ?? EMPTY_CANVAS_BADGES.agentCalls,
      previewed: previewed ?? EMPTY_CANVAS_BADGES.previewed,
      notRun: notRun ?? EMPTY_CANVAS_BADGES.notRun,
    });
  }, [marks, results, issues, changes, disconnected, warnings, pinned, agentCalls, previewed, notRun]);
  const references = useReferenceNames(useMemo(() => collectNodeReferences(definition), [definition]));
  useEffect(() => marks.set({ references }), [marks, references]);
  return marks;
}

/** The nodes and connections that React Flow draws. In an overview, a picture shows all others. */
function useVisibleElements(drawing: ReturnType<typeof useCanvasElements>, isOverview: boolean) {
  const [pointedId, point] = useState<string>();
  const live = useMountedCardIds(drawing.nodes, isOverview);
  const nodes = useMemo(
    () => (isOverview ? hidePicturedCards(drawing.nodes, live, pointedId) : drawing.nodes),
    [drawing.nodes, isOverview, live, pointedId],
  );
  const edges = useMemo(
    () => (isOverview ? drawing.edges.filter((edge) => isEdgeMounted(edge, live)) : drawing.edges),
    [drawing.edges, isOverview, live],
  );
  return { nodes, edges, live, point };
}

/** How the canvas reacts to a mouse, or to fingers: one finger pans, and the same gesture of a mouse selects. */
function useGestures(isEditable: boolean) {
  const isTouch = useIsTouchPointer();
  const isSelecting = isEditable && !isTouch;
  return {
    ...REACT_FLOW_GESTURES,
    nodesDraggable: isEditable,
    nodesConnectable: isEditable,
    selectionOnDrag: isSelecting,
    panOnDrag: isSelecting ? MIDDLE_BUTTON : true,
  };
}

/**
 * Reports the selection that React Flow has now, not the one that it passes, which is of its last render. When a canvas
 * opens with a selected node, the passed one is still empty, and the two selections would replace each other without
 * end.
 */
function useReportSelection(onSelect: Props['onSelect']) {
  const flow = useStoreApi();
  return useCallback(
    () => onSelect(flow.getState().nodes.flatMap(({ id, selected }) => (selected ? [id] : []))),
    [flow, onSelect],
  );
}

/** How the canvas opens. Its size is known once it is laid out, which is before React Flow fits the view. */
function useFirstView(nodes: readonly CanvasItem[], opensAsOverview: boolean) {
  const canvasRef = useRef<HTMLDivElement>(null);
  const [firstView, setFirstView] = useState<FitViewOptions>(
    opensAsOverview ? FIT_WITH_HIDDEN_NODES : FIT_VIEW_OPTIONS,
  );
  const measure = useEffectEvent(() => {
    if (opensAsOverview || !canvasRef.current) return;
    const { clientWidth: width, clientHeight: height } = canvasRef.current;
    setFirstView(fitFirstViewOptions(nodes, { width, height }));
  });
  useLayoutEffect(() => measure(), []);
  return { canvasRef, firstView };
}

/** Shows a definition and, with `onChange`, edits it. Needs a ReactFlowProvider around it. */
export function WorkflowCanvas(props: Props) {
  const { definition, catalogue, viewName, selectedIds, onSelect, onChange, events, triggers, children } = props;
  const marks = useCanvasBadgeStore(props);
  const [view] = useState(() => (viewName === undefined ? undefined : readStoredViewport(viewName, definition)));
  const isEditable = onChange !== undefined;
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < MIN_READABLE_ZOOM);
  const drawnTriggers = useDrawnTriggers(triggers ?? NO_TRIGGERS);
  const [opensAsOverview] = useState(() => mayOpenAsOverview(definition, view));
  const isOverview = useIsOverview(definition.nodes.length, opensAsOverview);
  const drawing = useCanvasElements(definition, catalogue, selectedIds, onChange, drawnTriggers);
  const { nodes, edges, live, point } = useVisibleElements(drawing, isOverview);
  const { canvasRef, firstView } = useFirstView(drawing.nodes, opensAsOverview);
  const annotating = useAnnotationActions(definition, onChange);
  const connecting = useConnectionHandlers({ definition, catalogue, marks, onChange, events });
  const gestures = useGestures(isEditable);
  const finderRef = useRef<FindConnection>(undefined);
  const { onInsert, onLooseEnd, onAddPart, onRemovePart, onMovePart, ...handlers } = useCanvasHandlers({
    definition,
    edges: drawing.edges,
    isEditable,
    onSelect,
    events,
    finderRef,
    onPointConnection: (id) => {
      if (marks.get().pointed !== id) marks.set({ pointed: id });
    },
    onDropTarget: (id) => {
      if (marks.get().dropTarget !== id) marks.set({ dropTarget: id });
    },
  });
  const select = useReportSelection(onSelect);
  const mayEditParts = isEditable && events !== undefined;
  const agentParts = useMemo(
    (): AgentPartActions => ({
      catalogue,
      ...(mayEditParts && { edits: { onAdd: onAddPart, onRemove: onRemovePart, onMove: onMovePart } }),
    }),
    [catalogue, mayEditParts, onAddPart, onRemovePart, onMovePart],
  );
  return (
    <CanvasBadgesContext value={marks}>
      <InsertNodeContext value={isEditable && events ? onInsert : undefined}>
        <AddAfterOutputContext value={isEditable && events ? onLooseEnd : undefined}>
          <AnnotationContext value={annotating}>
            <TriggersContext value={triggers ?? NO_TRIGGERS}>
              <AgentPartContext value={agentParts}>
                <ReactFlow
                  ref={canvasRef}
                  className={classes.canvas}
                  data-far={isFar || undefined}
                  {...drawing}
                  nodes={nodes}
                  edges={edges}
                  {...connecting}
                  {...handlers}
                  {...gestures}
                  nodeTypes={reactFlowNodeTypes}
                  edgeTypes={reactFlowEdgeTypes}
                  onSelectionChange={select}
                  fitView={view === undefined}
                  defaultViewport={view}
                  onMoveEnd={(_, viewport) => viewName !== undefined && storeViewport(viewName, viewport)}
                  fitViewOptions={firstView}
                  minZoom={0.1}
                  maxZoom={2}
                  onlyRenderVisibleElements={definition.nodes.length > MAX_RENDERED_NODES}
                  attributionPosition="bottom-right"
                  aria-label="Workflow canvas"
                >
                  {isOverview && (
                    <LazyOverviewPicture
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
                    isLarge={definition.nodes.length > MAX_RENDERED_NODES}
                  />
                  <LazyKeepFramesInView />
                  <KeepTriggersInView count={triggers?.length} isFitted={view === undefined} />
                  {children}
                </ReactFlow>
              </AgentPartContext>
            </TriggersContext>
          </AnnotationContext>
        </AddAfterOutputContext>
      </InsertNodeContext>
    </CanvasBadgesContext>
  );
}
