import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useMemo } from 'react';
import { definitionLanguage } from '@/contract/workflows/expression-language';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { selectionToJson, copySelection, pasteDefinition, parseClipboard } from '@/components/graph/edits/clipboard';
import { moveItems, removeConnections } from '@/components/graph/edits/edits';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import {
  collapseGroups,
  toDrawnDefinition,
  groupNodes,
  selectedGroups,
  selectedNodeIds,
  removeGroups,
} from '@/components/graph/groups';
import { askForGroupName } from '@/components/canvas/annotations/group-naming';
import { canvasAnimation } from '@/components/canvas/canvas-animation';
import { fitWorkflowOptions } from '@/components/canvas/fit-view';
import { addNote, removeNotes } from '@/components/graph/notes';
import { removeAndReconnect } from '@/components/graph/edits/insert-nodes';
import { parseAgentPartId, partOwnerId } from '@/components/graph/agent-parts';
import { duplicateAgentTools, moveAgentTool, removeAgentParts } from '../node/agent/agent-edits';
import { addPartsToWalk, findNeighbourId, reachableNodeIds, type ArrowDirection } from '@/components/graph/walk';
import { editCanvas, singleSelectedId, canvasDefinition, useDraftStore } from './draft';
import { adaptLanguage } from '../language/adapt-language';
import { computeTidyLayout } from './tidy-layout';
import { undrawOpenLoops } from '@/components/graph/frames';
import { drawCanvas, editCanvasRoot, toEditedPosition } from '../frames/open-loops';
import type { CanvasPositions } from '../useCanvasPositions';

export type SelectionEdits = ReturnType<typeof useSelectionEdits>;

/** Edits of the selection. Each is one undo step. */
export function useSelectionEdits(catalogue: NodeTypesByName, places: CanvasPositions) {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const definition = () => canvasDefinition(store.get());
    const language = () => definitionLanguage(store.get().definition);
    const ids = () => store.get().selectedIds;
    const select = (selectedIds: readonly string[]) => store.set({ selectedIds });
    const apply = (next: WorkflowDefinition, selectedIds: readonly string[] = ids()) =>
      store.set({ ...editCanvas(store.get(), next), selectedIds });
    const chosenNodes = () => selectedNodeIds(definition(), ids());

    const removeItems = (removed: readonly string[]) => {
      const bare = removeAgentParts(definition(), removed);
      const reconnected = removeAndReconnect(bare, catalogue, selectedNodeIds(bare, removed));
      const agents = new Set(removed.map(partOwnerId));
      // Who removes a tool goes on at its agent.
      const [next] = reconnected.nodes.flatMap(({ id }) => (agents.has(id) ? [id] : []));
      apply(removeNotes(reconnected, new Set(removed)), next === undefined ? [] : [next]);
    };
    const remove = () => {
      if (ids().length > 0) return removeItems(ids());
      const edgeIds = flow.getEdges().flatMap((edge) => (edge.selected ? [edge.id] : []));
      const drawn = drawCanvas(store.get(), catalogue);
      const next = undrawOpenLoops(drawn, removeConnections(drawn, new Set(edgeIds)));
      store.set(editCanvasRoot(store.get(), next));
    };
    const moveTool = (partId: string, place: number) => {
      const moved = moveAgentTool(definition(), partId, place);
      if (moved) apply(moved.definition, [moved.id]);
    };
    const add = (copied: WorkflowDefinition, at?: XYPosition) => {
      const pasted = pasteDefinition(definition(), copied, at && toEditedPosition(store.get(), catalogue, at));
      apply(pasted.definition, pasted.ids);
    };
    const setFolded = (isCollapsed: boolean) => {
      const groups = selectedGroups(definition(), ids());
      const next = collapseGroups(definition(), new Set(groups.map(({ id }) => id)), isCollapsed);
      apply(next, isCollapsed ? groups.map(({ id }) => id) : groups.flatMap(({ nodeIds }) => nodeIds));
    };
    return {
      select,
      remove,
      removeItems,
      /** Moves a tool of an agent to a place among its tools. */
      moveTool,
      /** Moves the selected tool up (-1) or down (1). */
      shiftTool: (by: 1 | -1) => {
        const id = singleSelectedId(store.get()) ?? '';
        const { part } = parseAgentPartId(id) ?? {};
        if (part?.kind === 'tool') moveTool(id, part.index + by);
      },
      /** Parts of agents are no nodes, and are not copied alone. */
      copied: () =>
        ids().some((id) => partOwnerId(id) === id)
          ? selectionToJson(definition(), new Set(ids()), language())
          : undefined,
      /** Resolves to whether the text contained nodes. */
      paste: async (text: string, at = places.atPointer()) => {
        const parsed = await parseClipboard(text);
        const copied = parsed
          ? await adaptLanguage(parsed, language(), catalogue)
          : (await import('../node/curl-command')).curlToDefinition(text);
        if (copied) add(copied, at);
        return parsed !== undefined || copied !== undefined;
      },
      duplicate: () => {
        // Parts that are chosen together with nodes are copied with their agent.
        if (ids().every((id) => parseAgentPartId(id) !== undefined)) {
          const tools = duplicateAgentTools(definition(), ids());
          return tools.ids.length > 0 ? apply(tools.definition, tools.ids) : undefined;
        }
        if (ids().length) add(copySelection(definition(), new Set(ids())));
      },
      toggleDisabled: () => {
        const chosen = chosenNodes();
        const isAllOff = definition().nodes.every((node) => !chosen.has(node.id) || node.disabled);
        const nodes = definition().nodes.map((node) =>
          chosen.has(node.id) ? { ...node, disabled: isAllOff ? undefined : true } : node,
        );
        if (chosen.size) apply({ ...definition(), nodes });
      },
      addNote: () => {
        const added = addNote(definition(), toEditedPosition(store.get(), catalogue, places.atPointer()));
        apply(added.definition, [added.id]);
      },
      group: () => {
        if (chosenNodes().size === 0) return;
        const grouped = groupNodes(definition(), chosenNodes());
        askForGroupName(grouped.id);
        apply(grouped.definition, [grouped.id]);
      },
      ungroup: () => {
        const groups = selectedGroups(definition(), ids());
        const next = removeGroups(definition(), new Set(groups.map(({ id }) => id)));
        apply(
          next,
          groups.flatMap(({ nodeIds }) => nodeIds),
        );
      },
      setFolded,
      selectAll: () => {
        const { nodes, notes = [] } = toDrawnDefinition(definition());
        select([...nodes, ...notes].map(({ id }) => id));
      },
      selectAlong: (direction: 'upstream' | 'downstream') =>
        select([...reachableNodeIds(toDrawnDefinition(definition()), ids(), direction)]),
      walk: (arrow: ArrowDirection) => {
        const drawn = toDrawnDefinition(definition());
        const to = findNeighbourId(addPartsToWalk(drawn), singleSelectedId(store.get()) ?? '', arrow);
        if (to !== undefined) select([to]);
      },
      tidy: async () => {
        const chosen = chosenNodes();
        const only = chosen.size > 1 ? new Set([...ids(), ...chosen]) : undefined;
        const places = await computeTidyLayout(definition(), catalogue, only);
        if (!places) return;
        apply(moveItems(definition(), places));
        if (!only)
          requestAnimationFrame(() => void flow.fitView({ ...fitWorkflowOptions(flow), ...canvasAnimation(250) }));
      },
    };
  }, [store, flow, catalogue, places]);
}
