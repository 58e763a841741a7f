import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useMemo } from 'react';
import type { Definition } from '@/contract/workflows/workflow';
import { clip, clipped, paste, readClip } from '@/components/graph/edits/clip';
import { move, removeConnections } from '@/components/graph/edits/edits';
import type { Catalogue } from '@/components/graph/flow';
import { fold, folded, groupNodes, groupsAmong, nodesAmong, ungroup } from '@/components/graph/groups';
import { askForName } from '@/components/canvas/annotations/naming';
import { animated } from '@/components/canvas/animated';
import { wholeOf } from '@/components/canvas/fit';
import { addNote, removeNotes } from '@/components/graph/notes';
import { removeAndReconnect } from '@/components/graph/edits/splice';
import { neighbour, reach, type Arrow } from '@/components/graph/walk';
import { edited, selectedId, shown, useDraftStore } from './draft';
import { tidied } from './tidied';
import type { Places } from '../usePlaces';

export type Edits = ReturnType<typeof useEdits>;

/** Edits of the selection. Each is one undo step. */
export function useEdits(catalogue: Catalogue, places: Places) {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const definition = () => shown(store.get());
    const ids = () => store.get().selectedIds;
    const select = (selectedIds: readonly string[]) => store.set({ selectedIds });
    const apply = (next: Definition, selectedIds: readonly string[] = ids()) =>
      store.set({ ...edited(store.get(), next), selectedIds });
    const chosenNodes = () => nodesAmong(definition(), ids());

    const remove = () => {
      const edgeIds = flow.getEdges().flatMap((edge) => (edge.selected ? [edge.id] : []));
      const without = ids().length ? definition() : removeConnections(definition(), new Set(edgeIds));
      const reconnected = removeAndReconnect(without, catalogue, nodesAmong(without, ids()));
      apply(removeNotes(reconnected, new Set(ids())), []);
    };
    const add = (copied: Definition, at?: XYPosition) => {
      const pasted = paste(definition(), copied, at);
      apply(pasted.definition, pasted.ids);
    };
    const setFolded = (isCollapsed: boolean) => {
      const groups = groupsAmong(definition(), ids());
      const next = fold(definition(), new Set(groups.map(({ id }) => id)), isCollapsed);
      apply(next, isCollapsed ? groups.map(({ id }) => id) : groups.flatMap(({ nodeIds }) => nodeIds));
    };
    return {
      select,
      remove,
      copied: () => (ids().length ? clip(definition(), new Set(ids())) : undefined),
      /** Resolves to whether the text contained nodes. */
      paste: async (text: string, at = places.atPointer()) => {
        const copied = (await readClip(text)) ?? (await import('../node/curl')).fromCurl(text);
        if (copied) add(copied, at);
        return copied !== undefined;
      },
      duplicate: () => {
        if (ids().length) add(clipped(definition(), new Set(ids())));
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
        const added = addNote(definition(), places.atPointer());
        apply(added.definition, [added.id]);
      },
      group: () => {
        if (chosenNodes().size === 0) return;
        const grouped = groupNodes(definition(), chosenNodes());
        askForName(grouped.id);
        apply(grouped.definition, [grouped.id]);
      },
      ungroup: () => {
        const groups = groupsAmong(definition(), ids());
        const next = ungroup(definition(), new Set(groups.map(({ id }) => id)));
        apply(
          next,
          groups.flatMap(({ nodeIds }) => nodeIds),
        );
      },
      setFolded,
      selectAll: () => {
        const { nodes, notes = [] } = folded(definition());
        select([...nodes, ...notes].map(({ id }) => id));
      },
      selectAlong: (direction: 'upstream' | 'downstream') => select([...reach(folded(definition()), ids(), direction)]),
      walk: (arrow: Arrow) => {
        const to = neighbour(folded(definition()), selectedId(store.get()) ?? '', arrow);
        if (to !== undefined) select([to]);
      },
      tidy: async () => {
        const chosen = chosenNodes();
        const only = chosen.size > 1 ? new Set([...ids(), ...chosen]) : undefined;
        const places = await tidied(definition(), catalogue, only);
        if (!places) return;
        apply(move(definition(), places));
        if (!only) requestAnimationFrame(() => void flow.fitView({ ...wholeOf(flow), ...animated(250) }));
      },
    };
  }, [store, flow, catalogue, places]);
}
