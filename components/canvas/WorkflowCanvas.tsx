import '@xyflow/react/dist/style.css';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  useReactFlow,
  type OnSelectionChangeParams,
  type XYPosition,
} from '@xyflow/react';
import { useCallback, useEffect, useState, type MouseEvent, type ReactNode } from 'react';
import type { Definition } from '@/contract/workflow';
import { createStore } from '../client/store';
import { AnnotatingContext, useAnnotating } from './annotating';
import { CanvasControls } from './CanvasControls';
import { NODE_TYPE_DRAG, type CanvasEvents } from './events';
import type { Catalogue } from './flow';
import { GroupFrame } from './GroupFrame';
import type { Item } from './items';
import { FIT, KeepInView } from './KeepInView';
import { MarksContext, NO_MARKS, type Marks } from './marks';
import { NodeCard } from './NodeCard';
import { NoteSheet } from './NoteSheet';
import { useDrawing } from './useDrawing';
import { useJoining } from './useJoining';
import { wireUnder } from './under';
import { InsertContext, WireEdge } from './WireEdge';
import classes from './WorkflowCanvas.module.css';

const nodeTypes = { card: NodeCard, note: NoteSheet, frame: GroupFrame };
const edgeTypes = { wire: WireEdge };
const PAN_KEYS = ['Space', 'Control', 'Meta'];
const MULTI_KEYS = ['Shift', 'Meta', 'Control'];

interface Props {
  definition: Definition;
  catalogue: Catalogue;
  results?: Marks['results'];
  issues?: Marks['issues'];
  changes?: Marks['changes'];
  selectedIds: readonly string[];
  onSelect(ids: readonly string[]): void;
  /** Absent: the canvas is for looking only. Changes of one `intent` in a row are one step back. */
  onChange?(definition: Definition, intent?: string): void;
  events?: CanvasEvents;
  children?: ReactNode;
}

/** A definition drawn and, with `onChange`, edited. Needs a ReactFlowProvider around it. */
export function WorkflowCanvas(props: Props) {
  const { definition, catalogue, results, issues, changes, selectedIds, onSelect, onChange, events, children } = props;
  const [marks] = useState(() => createStore<Marks>(NO_MARKS));
  useEffect(() => {
    marks.set({
      results: results ?? NO_MARKS.results,
      issues: issues ?? NO_MARKS.issues,
      changes: changes ?? NO_MARKS.changes,
    });
  }, [marks, results, issues, changes]);
  const flow = useReactFlow();
  const drawing = useDrawing(definition, catalogue, selectedIds, onChange);
  const annotating = useAnnotating(definition, onChange);
  const joining = useJoining({ definition, catalogue, marks, onChange, events });
  const select = useCallback(({ nodes }: OnSelectionChangeParams) => onSelect(nodes.map(({ id }) => id)), [onSelect]);
  const wireAt = (point: XYPosition) => drawing.edges.find(({ id }) => id === wireUnder(point))?.data?.connection;
  const isEditable = onChange !== undefined;
  return (
    <MarksContext value={marks}>
      <InsertContext value={isEditable ? events?.onInsert : undefined}>
        <AnnotatingContext value={annotating}>
          <ReactFlow
            className={classes.canvas}
            {...drawing}
            {...joining}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onSelectionChange={select}
            onNodeDragStop={(event, node, dragged) => {
              const isLoose = !definition.connections.some((c) => c.sourceNode === node.id || c.targetNode === node.id);
              const wire = isLoose && dragged.length === 1 ? wireAt(pointOf(event)) : undefined;
              if (wire && node.type === 'card') events?.onSplice(node.id, wire);
            }}
            onDragOver={(event) => {
              if (isEditable && event.dataTransfer.types.includes(NODE_TYPE_DRAG)) event.preventDefault();
            }}
            onDrop={(event) => {
              const pick = event.dataTransfer.getData(NODE_TYPE_DRAG);
              const point = { x: event.clientX, y: event.clientY };
              if (pick) events?.onDropType(pick, flow.screenToFlowPosition(point), wireAt(point));
            }}
            onNodeDoubleClick={(_, node) => {
              if (node.type === 'card') events?.onOpen(node.id);
            }}
            onNodeContextMenu={(event, node) => events?.onMenu(event, node.id)}
            onSelectionContextMenu={(event) => events?.onMenu(event, undefined)}
            onPaneContextMenu={(event) => events?.onMenu(event, undefined)}
            onEdgeContextMenu={(event, { data }) => {
              if (data) events?.onWireMenu(event, data.connection);
            }}
            nodesDraggable={isEditable}
            nodesConnectable={isEditable}
            deleteKeyCode={null}
            disableKeyboardA11y
            zoomOnDoubleClick={false}
            connectionRadius={28}
            multiSelectionKeyCode={MULTI_KEYS}
            panActivationKeyCode={PAN_KEYS}
            panOnScroll
            selectionOnDrag={isEditable}
            panOnDrag={isEditable ? [1] : true}
            fitView
            fitViewOptions={FIT}
            minZoom={0.1}
            maxZoom={2}
            onlyRenderVisibleElements={definition.nodes.length > 150}
            attributionPosition="bottom-center"
            aria-label="Workflow canvas"
          >
            <Background variant={BackgroundVariant.Dots} gap={22} size={1.6} color="var(--weft-canvas-dot)" />
            <MiniMap<Item>
              pannable
              zoomable
              className={classes.minimap}
              nodeBorderRadius={10}
              nodeClassName={({ type = '' }) => classes[type] ?? ''}
              ariaLabel="Overview of the workflow"
            />
            <CanvasControls />
            <KeepInView selectedId={selectedIds.length === 1 ? selectedIds[0] : undefined} />
            {children}
          </ReactFlow>
        </AnnotatingContext>
      </InsertContext>
    </MarksContext>
  );
}

const pointOf = (event: MouseEvent | TouchEvent | globalThis.MouseEvent): XYPosition => {
  const { clientX = 0, clientY = 0 } = 'changedTouches' in event ? (event.changedTouches[0] ?? {}) : event;
  return { x: clientX, y: clientY };
};
