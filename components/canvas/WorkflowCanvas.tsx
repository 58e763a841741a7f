import '@xyflow/react/dist/style.css';
import { ReactFlow, useStore, type OnSelectionChangeParams } from '@xyflow/react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { Definition } from '@/contract/workflow';
import { createStore } from '../client/store';
import { AnnotatingContext, useAnnotating } from './annotating';
import type { CanvasEvents } from './events';
import type { Catalogue } from './flow';
import { GroupFrame } from './GroupFrame';
import { Furniture, GRID } from './Furniture';
import { FIT } from './KeepInView';
import { keepView, keptView } from './kept-view';
import { MarksContext, NO_MARKS, type Marks } from './marks';
import { NodeCard } from './NodeCard';
import { NoteSheet } from './NoteSheet';
import { useDrawing } from './useDrawing';
import { useHandlers } from './useHandlers';
import { useJoining } from './useJoining';
import { InsertContext, WireEdge } from './WireEdge';
import classes from './WorkflowCanvas.module.css';

const nodeTypes = { card: NodeCard, note: NoteSheet, frame: GroupFrame };
const edgeTypes = { wire: WireEdge };
/** Farther away than this nobody reads a card: it is drawn without its words. */
const FAR_ZOOM = 0.4;
/** Half of what is between two dots of the background. */
const SNAP: [number, number] = [GRID / 2, GRID / 2];
/** From so many nodes on, what isn't seen isn't there. With fewer, to make cards while one moves costs more than to have all. */
const MANY = 600;
const PAN_KEYS = ['Space', 'Control', 'Meta'];
const MULTI_KEYS = ['Shift', 'Meta', 'Control'];

interface Props {
  definition: Definition;
  catalogue: Catalogue;
  results?: Marks['results'];
  issues?: Marks['issues'];
  changes?: Marks['changes'];
  strays?: Marks['strays'];
  selectedIds: readonly string[];
  onSelect(ids: readonly string[]): void;
  /** Absent: the canvas is for looking only. Changes of one `intent` in a row are one step back. */
  onChange?(definition: Definition, intent?: string): void;
  events?: CanvasEvents;
  /** Under this name the place where one looks is remembered. Absent: everything is shown at first. */
  viewName?: string;
  children?: ReactNode;
}

/** A definition drawn and, with `onChange`, edited. Needs a ReactFlowProvider around it. */
export function WorkflowCanvas(props: Props) {
  const { definition, catalogue, results, issues, changes, strays, viewName } = props;
  const { selectedIds, onSelect, onChange, events, children } = props;
  const [marks] = useState(() => createStore<Marks>(NO_MARKS));
  useEffect(() => {
    marks.set({
      results: results ?? NO_MARKS.results,
      issues: issues ?? NO_MARKS.issues,
      changes: changes ?? NO_MARKS.changes,
      strays: strays ?? NO_MARKS.strays,
    });
  }, [marks, results, issues, changes, strays]);
  const [view] = useState(() => (viewName === undefined ? undefined : keptView(viewName, definition)));
  const isEditable = onChange !== undefined;
  const isFar = useStore(({ transform: [, , zoom] }) => zoom < FAR_ZOOM);
  const drawing = useDrawing(definition, catalogue, selectedIds, onChange);
  const annotating = useAnnotating(definition, onChange);
  const joining = useJoining({ definition, catalogue, marks, onChange, events });
  const { onInsert, ...handlers } = useHandlers({ definition, edges: drawing.edges, isEditable, onSelect, events });
  const select = useCallback(({ nodes }: OnSelectionChangeParams) => onSelect(nodes.map(({ id }) => id)), [onSelect]);
  return (
    <MarksContext value={marks}>
      <InsertContext value={isEditable && events ? onInsert : undefined}>
        <AnnotatingContext value={annotating}>
          <ReactFlow
            className={classes.canvas}
            data-far={isFar || undefined}
            {...drawing}
            {...joining}
            {...handlers}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onSelectionChange={select}
            nodesDraggable={isEditable}
            nodesConnectable={isEditable}
            deleteKeyCode={null}
            disableKeyboardA11y
            zoomOnDoubleClick={false}
            snapToGrid
            snapGrid={SNAP}
            connectionRadius={28}
            multiSelectionKeyCode={MULTI_KEYS}
            panActivationKeyCode={PAN_KEYS}
            panOnScroll
            selectionOnDrag={isEditable}
            panOnDrag={isEditable ? [1] : true}
            fitView={view === undefined}
            defaultViewport={view}
            onMoveEnd={(_, viewport) => viewName !== undefined && keepView(viewName, viewport)}
            fitViewOptions={FIT}
            minZoom={0.1}
            maxZoom={2}
            onlyRenderVisibleElements={definition.nodes.length > MANY}
            attributionPosition="bottom-center"
            aria-label="Workflow canvas"
          >
            <Furniture selectedId={selectedIds.length === 1 ? selectedIds[0] : undefined} />
            {children}
          </ReactFlow>
        </AnnotatingContext>
      </InsertContext>
    </MarksContext>
  );
}
