import {
  useReactFlow,
  useStoreApi,
  type Connection as FlowConnection,
  type Edge,
  type FinalConnectionState,
  type OnConnectStartParams,
} from '@xyflow/react';
import { useEffect, useMemo, useState } from 'react';
import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import type { ObservableStore } from '@/components/client/store';
import { findBlockedTargets } from '@/components/graph/blocked';
import { addConnection, connectionIssue } from '@/components/graph/edits/edits';
import type { CanvasEvents } from './events';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { EMPTY_CANVAS_BADGES, type CanvasBadges } from './canvas-badges';

interface ConnectingOptions {
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  marks: ObservableStore<CanvasBadges>;
  onChange: ((definition: WorkflowDefinition) => void) | undefined;
  events: CanvasEvents | undefined;
}

/**
 * Dragging connections: validates ports, marks nodes that can't be connected, and reports drops on the empty canvas.
 */
export function useConnectionHandlers({ definition, catalogue, marks, onChange, events }: ConnectingOptions) {
  const flow = useReactFlow();
  const cancellation = useEscapeToCancel();
  const cancelTap = useCancelTapConnection(marks);
  return useMemo(() => {
    const issueOf = (wanted: FlowConnection | Edge) =>
      connectionIssue(definition, catalogue, toDefinitionConnection(wanted));

    const onConnectStart = (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      cancellation.begin();
      if (nodeId === null || handleType === null) return;
      const end = { nodeId, port: handleId ?? 'output', type: handleType };
      marks.set({ blocked: findBlockedTargets(definition, catalogue, end) });
    };

    // A tap on a port begins a connection too; a tap on another port ends it.
    const onClickConnectStart = (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      if (nodeId === null || handleType === null) return;
      marks.set({
        blocked: findBlockedTargets(definition, catalogue, { nodeId, port: handleId ?? 'output', type: handleType }),
      });
    };

    const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      cancellation.end();
      marks.set({ blocked: EMPTY_CANVAS_BADGES.blocked });
      if (cancellation.isCancelled()) return;
      const { fromHandle, toHandle, isValid } = state;
      if (isValid || !fromHandle) return;
      if (!toHandle) {
        const { clientX, clientY } =
          'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
        // The target of the event is not used: for a touch, it is where the finger came down.
        const isEmpty = document.elementFromPoint(clientX, clientY)?.closest('.react-flow__pane') !== null;
        const end = { nodeId: fromHandle.nodeId, port: fromHandle.id ?? 'output', type: fromHandle.type };
        if (isEmpty) events?.onLooseEnd(end, flow.screenToFlowPosition({ x: clientX, y: clientY }));
        return;
      }
      const [source, target] = fromHandle.type === 'source' ? [fromHandle, toHandle] : [toHandle, fromHandle];
      const reason = issueOf({
        source: source.nodeId,
        sourceHandle: source.id ?? null,
        target: target.nodeId,
        targetHandle: target.id ?? null,
      });
      if (reason) events?.onRefusal(reason);
    };

    return {
      onConnectStart,
      onConnectEnd,
      onClickConnectStart,
      onPaneClick: cancelTap,
      onClickConnectEnd: () => marks.set({ blocked: EMPTY_CANVAS_BADGES.blocked }),
      onConnect: (wanted: FlowConnection) => {
        if (!cancellation.isCancelled() && !issueOf(wanted))
          onChange?.(addConnection(definition, toDefinitionConnection(wanted)));
      },
      isValidConnection: (wanted: FlowConnection | Edge) => issueOf(wanted) === undefined,
    };
  }, [definition, catalogue, marks, onChange, events, flow, cancellation, cancelTap]);
}

/** Cancels a connection that was begun by a tap on a port; Escape does it too. */
function useCancelTapConnection(marks: ObservableStore<CanvasBadges>) {
  const api = useStoreApi();
  const [cancel] = useState(() => () => {
    if (!api.getState().connectionClickStartHandle) return;
    api.setState({ connectionClickStartHandle: null });
    marks.set({ blocked: EMPTY_CANVAS_BADGES.blocked });
  });
  useEffect(() => {
    const onEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') cancel();
    };
    addEventListener('keydown', onEscape, true);
    return () => removeEventListener('keydown', onEscape, true);
  }, [cancel]);
  return cancel;
}

/** Escape cancels the connection that is being dragged. */
function useEscapeToCancel() {
  const [cancellation] = useState(() => {
    let isCancelled = false;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      isCancelled = true;
      // React Flow ends a connection only on pointer release.
      document.dispatchEvent(new MouseEvent('mouseup'));
    };
    return {
      begin() {
        isCancelled = false;
        document.addEventListener('keydown', onEscape, { capture: true });
      },
      end: () => document.removeEventListener('keydown', onEscape, { capture: true }),
      isCancelled: () => isCancelled,
    };
  });
  return cancellation;
}

const toDefinitionConnection = (wanted: FlowConnection | Edge): NodeConnection => ({
  sourceNode: wanted.source,
  sourcePort: wanted.sourceHandle ?? 'output',
  targetNode: wanted.target,
  targetPort: wanted.targetHandle ?? 'input',
});
