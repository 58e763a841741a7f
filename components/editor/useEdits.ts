import { useReactFlow, type XYPosition } from '@xyflow/react';
import { useMemo } from 'react';
import type { Definition } from '@/contract/workflow';
import { clip, clipped, paste, readClip } from '../canvas/clip';
import { move, removeConnections } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';
import { fold, folded, groupNodes, groupsAmong, nodesAmong, ungroup } from '../canvas/groups';
import { glide } from '../canvas/glide';
import { FIT } from '../canvas/KeepInView';
import { layout } from '../canvas/layout';
import { addNote, removeNotes } from '../canvas/notes';
import { removeAndHeal } from '../canvas/splice';
import { neighbour, reach, type Arrow } from '../canvas/walk';
import { fromCurl } from './curl';
import { edited, selectedId, shown, useDraftStore } from './draft';
import type { Places } from './usePlaces';

export type Edits = ReturnType<typeof useEdits>;

/** What can be done to what is selected. Each is one step that can be taken back. */
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
      const wires = flow.getEdges().flatMap((edge) => (edge.selected ? [edge.id] : []));
      const without = ids().length ? definition() : removeConnections(definition(), new Set(wires));
      const healed = removeAndHeal(without, catalogue, nodesAmong(without, ids()));
      apply(removeNotes(healed, new Set(ids())), []);
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
      /** Answers whether there was something in the text. */
      paste: async (text: string, at = places.atPointer()) => {
        const copied = (await readClip(text)) ?? fromCurl(text);
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
        const next = move(definition(), await layout(definition(), catalogue, only));
        apply(next);
        if (!only) requestAnimationFrame(() => void flow.fitView({ ...FIT, ...glide(250) }));
      },
    };
  }, [store, flow, catalogue, places]);
}
