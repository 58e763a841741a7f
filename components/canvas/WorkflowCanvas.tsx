import '@xyflow/react/dist/style.css';
import {
  Background,
  BackgroundVariant,
  MiniMap,
  ReactFlow,
  type Connection as FlowConnection,
  type Edge,
  type OnSelectionChangeParams,
} from '@xyflow/react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { Definition } from '@/contract/workflow';
import { createStore } from '../client/store';
import { CanvasControls } from './CanvasControls';
import { connect, connectionIssue, removeConnections, removeNodes } from './edits';
import type { Card, Catalogue } from './flow';
import { FIT, KeepInView } from './KeepInView';
import { MarksContext, NO_MARKS, type Marks } from './marks';
import { NodeCard } from './NodeCard';
import { useDrawing } from './useDrawing';
import { WireEdge } from './WireEdge';
import classes from './WorkflowCanvas.module.css';

const nodeTypes = { card: NodeCard };
const edgeTypes = { wire: WireEdge };

interface Props {
  definition: Definition;
  catalogue: Catalogue;
  results?: Marks['results'];
  issues?: Marks['issues'];
  selectedId: string | undefined;
  onSelect(id: string | undefined): void;
  /** Absent: the canvas is for looking only. */
  onChange?(definition: Definition): void;
  /** Tells why two ports were not joined. */
  onRefusal?(reason: string): void;
  children?: ReactNode;
}

/** A definition drawn and, with `onChange`, edited. Needs a ReactFlowProvider around it. */
export function WorkflowCanvas(props: Props) {
  const { definition, catalogue, results, issues, selectedId, onSelect, onChange, onRefusal, children } = props;
  const [marks] = useState(() => createStore<Marks>(NO_MARKS));
  useEffect(() => {
    marks.set({ results: results ?? NO_MARKS.results, issues: issues ?? NO_MARKS.issues });
  }, [marks, results, issues]);
  const drawing = useDrawing(definition, catalogue, selectedId, onChange);

  const issueOf = (wanted: FlowConnection | Edge) => connectionIssue(definition, catalogue, connectionOf(wanted));
  const select = useCallback(
    ({ nodes }: OnSelectionChangeParams) => onSelect(nodes.length === 1 ? nodes[0]?.id : undefined),
    [onSelect],
  );
  return (
    <MarksContext value={marks}>
      <ReactFlow
        className={classes.canvas}
        {...drawing}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onSelectionChange={select}
        onConnect={(wanted) => !issueOf(wanted) && onChange?.(connect(definition, connectionOf(wanted)))}
        onConnectEnd={(_, { fromHandle, toHandle, isValid }) => {
          if (isValid || !fromHandle || !toHandle) return;
          const [source, target] = fromHandle.type === 'source' ? [fromHandle, toHandle] : [toHandle, fromHandle];
          const reason = issueOf({
            source: source.nodeId,
            sourceHandle: source.id ?? null,
            target: target.nodeId,
            targetHandle: target.id ?? null,
          });
          if (reason) onRefusal?.(reason);
        }}
        isValidConnection={(wanted) => issueOf(wanted) === undefined}
        onDelete={({ nodes, edges }) =>
          onChange?.(
            removeNodes(
              removeConnections(definition, new Set(edges.map((edge) => edge.id))),
              new Set(nodes.map((node) => node.id)),
            ),
          )
        }
        nodesDraggable={onChange !== undefined}
        nodesConnectable={onChange !== undefined}
        deleteKeyCode={onChange ? ['Delete', 'Backspace'] : null}
        connectionRadius={28}
        panOnScroll
        selectionOnDrag={onChange !== undefined}
        panOnDrag={onChange ? [1] : true}
        fitView
        fitViewOptions={FIT}
        minZoom={0.15}
        maxZoom={2}
        onlyRenderVisibleElements={definition.nodes.length > 150}
        attributionPosition="bottom-center"
        aria-label="Workflow canvas"
      >
        <Background variant={BackgroundVariant.Dots} gap={22} size={1.6} color="var(--weft-canvas-dot)" />
        <MiniMap<Card>
          pannable
          zoomable
          className={classes.minimap}
          nodeBorderRadius={10}
          ariaLabel="Overview of the workflow"
        />
        <CanvasControls />
        <KeepInView selectedId={selectedId} />
        {children}
      </ReactFlow>
    </MarksContext>
  );
}

const connectionOf = (wanted: FlowConnection | Edge) => ({
  sourceNode: wanted.source,
  sourcePort: wanted.sourceHandle ?? 'output',
  targetNode: wanted.target,
  targetPort: wanted.targetHandle ?? 'input',
});
