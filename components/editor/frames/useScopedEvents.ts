import { useMemo } from 'react';
import type { NodeConnection } from '@/contract/workflows/workflow';
import type { CanvasEvents } from '@/components/canvas/events';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { findScopeAt, toScopePosition } from '@/components/graph/frames';
import { useDraftStore } from '../draft/draft';
import { drawCanvas, enterScope, enterNodeScope } from './open-loops';

/** The events of the canvas for the definition that they happen in: the body of an open loop, or the one around. */
export function useScopedEvents(events: CanvasEvents, catalogue: NodeTypesByName): CanvasEvents {
  const store = useDraftStore();
  return useMemo(() => {
    const enter = (id: string) => enterNodeScope(store, catalogue, id);
    const enterConnection = (connection: NodeConnection): NodeConnection => ({
      ...connection,
      sourceNode: enter(connection.sourceNode).id,
      targetNode: enter(connection.targetNode).id,
    });
    /** Enters the frame at a place, and returns the position in it. */
    const enterPlace: <Result>(
      at: { x: number; y: number },
      act: (at: { x: number; y: number }) => Result,
    ) => Result = (at, act) => {
      const scope = findScopeAt(drawCanvas(store.get(), catalogue), at);
      if (!scope) return act(at);
      enterScope(store, scope);
      return act(toScopePosition(scope, at));
    };
    return {
      ...events,
      onLooseEnd: (end, at) => {
        const { id, scope } = enter(end.nodeId);
        events.onLooseEnd({ ...end, nodeId: id }, scope ? toScopePosition(scope, at) : at);
      },
      onInsert: (connection) => events.onInsert(enterConnection(connection)),
      onSplice: (id, connection) => {
        const { scope } = enter(connection.sourceNode);
        if (!scope || scope.nodes.has(id)) events.onSplice(enter(id).id, enterConnection(connection));
      },
      onDropType: (pick, at, connection) => {
        if (connection) events.onDropType(pick, at, enterConnection(connection));
        else enterPlace(at, (place) => events.onDropType(pick, place, undefined));
      },
      onAddPart: (agentId, kind) => events.onAddPart(enter(agentId).id, kind),
      onDropPart: (pick, agentId) => events.onDropPart(pick, enter(agentId).id),
      onRemovePart: (partId) => events.onRemovePart(enter(partId).id),
      onMovePart: (partId, targetId) => events.onMovePart(enter(partId).id, enter(targetId).id),
      onDropText: (text, at) => enterPlace(at, (place) => events.onDropText(text, place)),
      onOpen: (id) => events.onOpen(enter(id).id),
      onMenu: (event, id) => events.onMenu(event, id === undefined ? undefined : enter(id).id),
      onConnectionMenu: (event, connection) => events.onConnectionMenu(event, enterConnection(connection)),
    };
  }, [events, catalogue, store]);
}
