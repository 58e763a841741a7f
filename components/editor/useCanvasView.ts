import { useReactFlow } from '@xyflow/react';
import { useMemo } from 'react';
import { canvasAnimation } from '@/components/canvas/canvas-animation';
import { FIT_VIEW_OPTIONS, fitWorkflowOptions } from '@/components/canvas/fit-view';
import { drawnIdMapper, collapseGroups, selectedGroups } from '@/components/graph/groups';
import { editCanvas, canvasDefinition, useDraftStore } from './draft/draft';

export type CanvasViewControls = ReturnType<typeof useCanvasView>;

/** Zoom and position of the canvas. */
export function useCanvasView() {
  const store = useDraftStore();
  const flow = useReactFlow();
  return useMemo(() => {
    const view = {
      zoomIn: () => void flow.zoomIn(canvasAnimation(150)),
      zoomOut: () => void flow.zoomOut(canvasAnimation(150)),
      zoomTo: (zoom: number) => void flow.zoomTo(zoom, canvasAnimation(150)),
      fit: () => void flow.fitView({ ...fitWorkflowOptions(flow), ...canvasAnimation(200) }),
      fitSelection: () =>
        void flow.fitView({
          ...FIT_VIEW_OPTIONS,
          nodes: store.get().selectedIds.map((id) => ({ id })),
          ...canvasAnimation(200),
        }),
      /** Selects a node and centres it. Expands a collapsed group around it. */
      show: (id: string) => {
        const definition = canvasDefinition(store.get());
        const node = definition.nodes.find((candidate) => candidate.id === id);
        if (!node) return;
        const hiding = drawnIdMapper(definition)(id) === id ? [] : selectedGroups(definition, [id]);
        const opened = collapseGroups(definition, new Set(hiding.map((group) => group.id)), false);
        store.set({ ...editCanvas(store.get(), opened), selectedIds: [id] });
        const { x, y } = node.position;
        // In the next frame, because the canvas pans to a new selection by itself.
        requestAnimationFrame(() => void flow.setCenter(x + 118, y + 30, { zoom: 1, ...canvasAnimation(250) }));
      },
    };
    return {
      ...view,
      /**
       * Shows a node inside the loops of `path`, from the outside in. With a field, its panel opens at the field and
       * shows the message.
       */
      showIn: (path: readonly string[], id: string, field?: string, message?: string) => {
        store.set({ focus: field ? { nodeId: id, field, message } : undefined });
        if (path.join('/') === store.get().path.join('/')) view.show(id);
        else store.set({ path, selectedIds: [id] });
      },
    };
  }, [store, flow]);
}
