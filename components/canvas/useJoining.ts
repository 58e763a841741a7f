import {
  useReactFlow,
  type Connection as FlowConnection,
  type Edge,
  type FinalConnectionState,
  type OnConnectStartParams,
} from '@xyflow/react';
import { useMemo, useState } from 'react';
import type { Connection, Definition } from '@/contract/workflow';
import type { Store } from '../client/store';
import { blockedFor } from './blocked';
import { connect, connectionIssue } from './edits';
import type { CanvasEvents } from './events';
import type { Catalogue } from './flow';
import { NO_MARKS, type Marks } from './marks';

interface Joining {
  definition: Definition;
  catalogue: Catalogue;
  marks: Store<Marks>;
  onChange: ((definition: Definition) => void) | undefined;
  events: CanvasEvents | undefined;
}

/** Drawing connections: what may be joined, what can't be reached, and what is let go in the empty. */
export function useJoining({ definition, catalogue, marks, onChange, events }: Joining) {
  const flow = useReactFlow();
  const givingUp = useGivingUp();
  return useMemo(() => {
    const issueOf = (wanted: FlowConnection | Edge) => connectionIssue(definition, catalogue, connectionOf(wanted));

    const onConnectStart = (_: unknown, { nodeId, handleId, handleType }: OnConnectStartParams) => {
      givingUp.begin();
      if (nodeId === null || handleType === null) return;
      const end = { nodeId, port: handleId ?? 'output', type: handleType };
      marks.set({ blocked: blockedFor(definition, catalogue, end) });
    };

    const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      givingUp.end();
      marks.set({ blocked: NO_MARKS.blocked });
      if (givingUp.isGivenUp()) return;
      const { fromHandle, toHandle, isValid } = state;
      if (isValid || !fromHandle) return;
      if (!toHandle) {
        const { clientX, clientY } =
          'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
        const isEmpty = event.target instanceof Element && event.target.closest('.react-flow__pane') !== null;
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
      onConnect: (wanted: FlowConnection) => {
        if (!givingUp.isGivenUp() && !issueOf(wanted)) onChange?.(connect(definition, connectionOf(wanted)));
      },
      isValidConnection: (wanted: FlowConnection | Edge) => issueOf(wanted) === undefined,
    };
  }, [definition, catalogue, marks, onChange, events, flow, givingUp]);
}

/** Escape gives up the connection that is being drawn. */
function useGivingUp() {
  const [givingUp] = useState(() => {
    let isGivenUp = false;
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      isGivenUp = true;
      // For React Flow a connection ends when the pointer is let go, and in no other way.
      document.dispatchEvent(new MouseEvent('mouseup'));
    };
    return {
      begin() {
        isGivenUp = false;
        document.addEventListener('keydown', onEscape, { capture: true });
      },
      end: () => document.removeEventListener('keydown', onEscape, { capture: true }),
      isGivenUp: () => isGivenUp,
    };
  });
  return givingUp;
}

const connectionOf = (wanted: FlowConnection | Edge): Connection => ({
  sourceNode: wanted.source,
  sourcePort: wanted.sourceHandle ?? 'output',
  targetNode: wanted.target,
  targetPort: wanted.targetHandle ?? 'input',
});
