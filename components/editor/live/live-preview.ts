import type { NodeResult } from '@/contract/execution';
import type { PreviewedNode } from '@/contract/workflows/node-preview';
import type { PreviewKind } from '@/components/canvas/canvas-badges';
import { drawnNodeId } from '@/components/graph/drawn';
import { createObservableStore, useStoreSlice } from '@/components/client/store';
import { useDraft } from '../draft/draft';

/** A preview as it is drawn. `isExample`: the node acts outside; this is the documented example of its operation. */
export type DrawnPreview = PreviewedNode & { isExample?: true };

export type NodePreviewsById = ReadonlyMap<string, DrawnPreview>;

export interface LivePreviewState {
  /** The ids of the loops around the nodes. */
  path: readonly string[];
  nodes: NodePreviewsById;
}

const EMPTY_LIVE_PREVIEW: LivePreviewState = { path: [], nodes: new Map() };

/** What the nodes that were changed would give. Only what draws previews renders when one arrives. */
export const livePreviewStore = createObservableStore(EMPTY_LIVE_PREVIEW);

export function clearLivePreview(): void {
  if (livePreviewStore.get().nodes.size > 0) livePreviewStore.set(EMPTY_LIVE_PREVIEW);
}

/** The preview of a node of the edited definition. Undefined: it has none. */
export function useNodeLivePreview(nodeId: string): DrawnPreview | undefined {
  const place = useDraft((draft) => draft.path.join('/'));
  return useStoreSlice(livePreviewStore, ({ path, nodes }) =>
    path.join('/') === place ? nodes.get(nodeId) : undefined,
  );
}

/** A preview as the canvas draws results. Undefined: it says nothing about the node. */
export function toPreviewResult({ nodeId, status, output, port, ports, error }: PreviewedNode): NodeResult | undefined {
  if (status === 'stopped' || status === 'omitted') return undefined;
  return { nodeId, status, output, port, ports, error, attempts: 0 };
}

/**
 * The results that the canvas draws, with those of the preview in their place. `view`: the path of the drawn
 * definition, in which the previewed one may be an open loop.
 */
export function addLivePreview(
  ran: ReadonlyMap<string, NodeResult>,
  { path, nodes }: LivePreviewState,
  view: readonly string[],
): {
  results: ReadonlyMap<string, NodeResult>;
  previewed: ReadonlyMap<string, PreviewKind>;
  notRun: ReadonlySet<string>;
} {
  const previewed = new Map<string, PreviewKind>();
  const notRun = new Set<string>();
  if (nodes.size === 0 || view.some((id, depth) => path[depth] !== id)) return { results: ran, previewed, notRun };
  const results = new Map(ran);
  for (const [id, preview] of nodes) {
    const drawnId = drawnNodeId(path.slice(view.length), id);
    const result = toPreviewResult(preview);
    if (result) {
      results.set(drawnId, { ...result, nodeId: drawnId });
      previewed.set(drawnId, preview.isExample ? 'example' : 'computed');
    } else if (preview.status === 'stopped') notRun.add(drawnId);
  }
  return { results, previewed, notRun };
}
