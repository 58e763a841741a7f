import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { clip, clipped, paste, readClip } from '../canvas/clip';
import { moveNodes, removeConnections } from '../canvas/edits';
import type { Catalogue } from '../canvas/flow';
import { FIT } from '../canvas/KeepInView';
import { layout } from '../canvas/layout';
import { removeAndHeal } from '../canvas/splice';
import { neighbour, reach, type Arrow } from '../canvas/walk';
import { fromCurl } from './curl';
import { edited, selectedId, shown, useDraftStore } from './draft';

export type Edits = ReturnType<typeof useEdits>;

/** What can be done to the selected nodes. Each is one step that can be taken back. */
export function useEdits(catalogue: Catalogue, pointer: { current: { x: number; y: number } | undefined }) {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const definition = () => shown(store.get());
    const ids = () => store.get().selectedIds;
    const select = (selectedIds: readonly string[]) => store.set({ selectedIds });
    const apply = (next: ReturnType<typeof definition>, selectedIds: readonly string[] = ids()) =>
      store.set({ ...edited(store.get(), next), selectedIds });

    const remove = (nodeIds: readonly string[] = ids()) => {
      const wires = flow.getEdges().flatMap((edge) => (edge.selected ? [edge.id] : []));
      const without = nodeIds.length ? definition() : removeConnections(definition(), new Set(wires));
      apply(removeAndHeal(without, catalogue, nodeIds), []);
    };
    const add = (copied: ReturnType<typeof definition>, at?: { x: number; y: number }) => {
      const pasted = paste(definition(), copied, at);
      apply(pasted.definition, pasted.ids);
    };
    return {
      select,
      remove,
      copied: () => (ids().length ? clip(definition(), new Set(ids())) : undefined),
      paste: async (text: string) => {
        const at = pointer.current && flow.screenToFlowPosition(pointer.current);
        const copied = (await readClip(text)) ?? fromCurl(text);
        if (copied) add(copied, at);
      },
      duplicate: () => {
        if (ids().length) add(clipped(definition(), new Set(ids())));
      },
      toggleDisabled: () => {
        const chosen = new Set(ids());
        const isAllOff = definition().nodes.every((node) => !chosen.has(node.id) || node.disabled);
        const nodes = definition().nodes.map((node) =>
          chosen.has(node.id) ? { ...node, disabled: isAllOff ? undefined : true } : node,
        );
        if (chosen.size) apply({ ...definition(), nodes });
      },
      selectAll: () => select(definition().nodes.map(({ id }) => id)),
      selectAlong: (direction: 'upstream' | 'downstream') => select([...reach(definition(), ids(), direction)]),
      walk: (arrow: Arrow) => {
        const to = neighbour(definition(), selectedId(store.get()) ?? '', arrow);
        if (to !== undefined) select([to]);
      },
      tidy: async () => {
        const only = ids().length > 1 ? new Set(ids()) : undefined;
        const places = await layout(definition(), catalogue, only);
        apply(moveNodes(definition(), places));
        if (!only) requestAnimationFrame(() => void flow.fitView({ ...FIT, duration: 250 }));
      },
      zoomIn: () => void flow.zoomIn({ duration: 150 }),
      zoomOut: () => void flow.zoomOut({ duration: 150 }),
      zoomTo: (zoom: number) => void flow.zoomTo(zoom, { duration: 150 }),
      fit: () => void flow.fitView({ ...FIT, duration: 200 }),
      show: (id: string) => {
        select([id]);
        void flow.fitView({ ...FIT, nodes: [{ id }], duration: 250 });
      },
    };
  }, [store, flow, catalogue, pointer]);
}
