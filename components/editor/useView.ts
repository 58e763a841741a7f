import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { glide } from '../canvas/glide';
import { FIT } from '../canvas/KeepInView';
import { drawnAs, fold, groupsAmong } from '../canvas/groups';
import { edited, shown, useDraftStore } from './draft';

export type View = ReturnType<typeof useView>;

/** Where the canvas looks. */
export function useView() {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const view = {
      zoomIn: () => void flow.zoomIn(glide(150)),
      zoomOut: () => void flow.zoomOut(glide(150)),
      zoomTo: (zoom: number) => void flow.zoomTo(zoom, glide(150)),
      fit: () => void flow.fitView({ ...FIT, ...glide(200) }),
      fitSelection: () =>
        void flow.fitView({ ...FIT, nodes: store.get().selectedIds.map((id) => ({ id })), ...glide(200) }),
      /** Selects a node in the middle of the view; a collapsed group that hides it is opened. */
      show: (id: string) => {
        const definition = shown(store.get());
        const node = definition.nodes.find((candidate) => candidate.id === id);
        if (!node) return;
        const hiding = drawnAs(definition)(id) === id ? [] : groupsAmong(definition, [id]);
        const opened = fold(definition, new Set(hiding.map((group) => group.id)), false);
        store.set({ ...edited(store.get(), opened), selectedIds: [id] });
        const { x, y } = node.position;
        // After the canvas saw what is selected, and did for it what little it does by itself.
        requestAnimationFrame(() => void flow.setCenter(x + 118, y + 30, { zoom: 1, ...glide(250) }));
      },
    };
    return {
      ...view,
      /** The same for a node inside of loops, from the outside in. */
      showIn: (path: readonly string[], id: string) => {
        if (path.join('/') === store.get().path.join('/')) view.show(id);
        else store.set({ path, selectedIds: [id] });
      },
    };
  }, [store, flow]);
}
