import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { animated } from '@/components/canvas/animated';
import { FIT, wholeOf } from '@/components/canvas/fit';
import { drawnAs, fold, groupsAmong } from '@/components/graph/groups';
import { edited, shown, useDraftStore } from './draft/draft';

export type View = ReturnType<typeof useView>;

/** Zoom and position of the canvas. */
export function useView() {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const view = {
      zoomIn: () => void flow.zoomIn(animated(150)),
      zoomOut: () => void flow.zoomOut(animated(150)),
      zoomTo: (zoom: number) => void flow.zoomTo(zoom, animated(150)),
      fit: () => void flow.fitView({ ...wholeOf(flow), ...animated(200) }),
      fitSelection: () =>
        void flow.fitView({ ...FIT, nodes: store.get().selectedIds.map((id) => ({ id })), ...animated(200) }),
      /** Selects a node and centres it. Expands a collapsed group around it. */
      show: (id: string) => {
        const definition = shown(store.get());
        const node = definition.nodes.find((candidate) => candidate.id === id);
        if (!node) return;
        const hiding = drawnAs(definition)(id) === id ? [] : groupsAmong(definition, [id]);
        const opened = fold(definition, new Set(hiding.map((group) => group.id)), false);
        store.set({ ...edited(store.get(), opened), selectedIds: [id] });
        const { x, y } = node.position;
        // In the next frame, because the canvas pans to a new selection by itself.
        requestAnimationFrame(() => void flow.setCenter(x + 118, y + 30, { zoom: 1, ...animated(250) }));
      },
    };
    return {
      ...view,
      /** The same for a node inside loops; `path` is from the outside in. With a field, its panel opens there, and shows the message. */
      showIn: (path: readonly string[], id: string, field?: string, message?: string) => {
        store.set({ focus: field ? { nodeId: id, field, message } : undefined });
        if (path.join('/') === store.get().path.join('/')) view.show(id);
        else store.set({ path, selectedIds: [id] });
      },
    };
  }, [store, flow]);
}
