import type { NodeResult } from '@/contract/execution';
import type { PreviewedNode } from '@/contract/workflows/node-preview';
import { drawnNodeId } from '@/components/graph/drawn';
import { createObservableStore, useStoreSlice } from '@/components/client/store';
import { useDraft } from '../draft/draft';

export type NodePreviewsById = ReadonlyMap<string, PreviewedNode>;

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
export function useNodeLivePreview(nodeId: string): PreviewedNode | undefined {
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

/** The results that the canvas draws, with those of the preview in their place. `depth`: the length of the drawn path. */
export function addLivePreview(
  ran: ReadonlyMap<string, NodeResult>,
  { path, nodes }: LivePreviewState,
  depth: number,
): { results: ReadonlyMap<string, NodeResult>; previewed: ReadonlySet<string>; notRun: ReadonlySet<string> } {
  const previewed = new Set<string>();
  const notRun = new Set<string>();
  if (nodes.size === 0) return { results: ran, previewed, notRun };
  const results = new Map(ran);
  for (const [id, preview] of nodes) {
    const drawnId = drawnNodeId(path.slice(depth), id);
    const result = toPreviewResult(preview);
    if (result) {
      results.set(drawnId, { ...result, nodeId: drawnId });
      previewed.add(drawnId);
    } else notRun.add(drawnId);
  }
  return { results, previewed, notRun };
}
