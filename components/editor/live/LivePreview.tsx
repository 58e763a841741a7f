import { useEffect, useState } from 'react';
import type { PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useDraft } from '../draft/draft';
import { clearLivePreview, livePreviewStore } from './live-preview';
import { requestNodePreview } from './request-node-preview';
import { useLivePreviewReader } from './useLivePreviewReader';

/** A preview waits until the typing pauses. */
const LIVE_PREVIEW_DELAY_MS = 400;

/**
 * Computes the nodes that were changed since the last run, and those after them that only compute, on the data of that
 * run: one call after each pause, which ends the one before. Draws nothing itself.
 */
export function LivePreview({ catalogue }: { catalogue: NodeTypesByName }) {
  const read = useLivePreviewReader(catalogue);
  const path = useDraft((draft) => draft.path);
  const [call] = useState(createPreviewCall);
  useEffect(() => {
    if (!read) return call.end();
    let isOver = false;
    const show = async () => {
      const request = await read();
      if (!isOver) await call.show(path, request);
    };
    const timer = setTimeout(() => void show(), LIVE_PREVIEW_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [read, path, call]);
  useEffect(() => call.end, [call]);
  return null;
}

/** The last call of the service, whose answer is shown. */
function createPreviewCall() {
  let last: { body: string; ending: AbortController } | undefined;
  const end = () => {
    last?.ending.abort();
    last = undefined;
    clearLivePreview();
  };
  /** Undefined: there is nothing to compute. */
  const show = async (path: readonly string[], request: PreviewNodesRequest | undefined) => {
    if (!request) return end();
    // Equal requests have equal answers: what does not change the outcome, such as a move, asks for nothing.
    const body = JSON.stringify([path, request]);
    if (body === last?.body) return;
    last?.ending.abort();
    const ending = new AbortController();
    last = { body, ending };
    try {
      const { results } = await requestNodePreview(request, ending.signal);
      if (ending.signal.aborted) return;
      livePreviewStore.set({ path, nodes: new Map(results.map((one) => [one.nodeId, one])) });
    } catch {
      // Without the service there is no preview, and a page that is offline says so elsewhere.
      if (!ending.signal.aborted) end();
    }
  };
  return { end, show };
}
