import { useEffect, useEffectEvent, useMemo } from 'react';
import { isFinalStatus } from '@/contract/states';
import type { PreviewedNodes, PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { requestService } from '@/components/client/service-request';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { canvasDefinition, useDraft } from '../draft/draft';
import { useOutdatedNodes } from '../draft/useOutdatedNodes';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useWorkspaceVariables } from '../preview/useWorkspaceVariables';
import { useEditorRun } from '../run/editor-run';
import { clearLivePreview, livePreviewStore } from './live-preview';
import { buildPreviewRequest } from './preview-request';

/** A preview waits until the typing pauses. */
const LIVE_PREVIEW_DELAY_MS = 400;

/** Lets the service compute nodes. Nothing outside is called. Throws ServiceRefusal and TypeError. */
export async function requestNodePreview(body: PreviewNodesRequest, signal: AbortSignal): Promise<PreviewedNodes> {
  const headers = { 'content-type': 'application/json' };
  const answer = await requestService('/api/nodes/preview', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  return (await answer.json()) as PreviewedNodes;
}

/**
 * Computes the nodes that were changed since the last run, and those after them that only compute, on the data of that
 * run: one call after each pause, and a further change cancels the one before. Draws nothing itself.
 */
export function LivePreview({ catalogue }: { catalogue: NodeTypesByName }) {
  const request = useLivePreviewRequest(catalogue);
  const path = useDraft((draft) => draft.path);
  // Equal requests have equal answers: what does not change the outcome, such as a move, asks for nothing.
  const body = useMemo(() => request && JSON.stringify(request), [request]);
  const send = useEffectEvent(async (signal: AbortSignal) => {
    if (!request) return;
    try {
      const { results } = await requestNodePreview(request, signal);
      if (!signal.aborted) livePreviewStore.set({ path, nodes: new Map(results.map((one) => [one.nodeId, one])) });
    } catch {
      // Without the service there is no preview, and a page that is offline says so elsewhere.
      if (!signal.aborted) clearLivePreview();
    }
  });
  useEffect(() => {
    if (body === undefined) return clearLivePreview();
    const calling = new AbortController();
    const timer = setTimeout(() => void send(calling.signal), LIVE_PREVIEW_DELAY_MS);
    return () => {
      clearTimeout(timer);
      calling.abort();
    };
  }, [body]);
  useEffect(() => clearLivePreview, []);
  return null;
}

/** Undefined: no result is outdated, there is no data, or a run is in progress. */
function useLivePreviewRequest(catalogue: NodeTypesByName): PreviewNodesRequest | undefined {
  const definition = useDraft(canvasDefinition);
  const path = useDraft((draft) => draft.path);
  const timeZone = useDraft(({ saved }) => saved.settings.timeZone ?? undefined);
  const pins = useCanvasPins();
  const vars = useWorkspaceVariables();
  const { execution, readRounds } = useEditorRun();
  const outdated = useOutdatedNodes(execution);
  return useMemo(() => {
    if (!execution || !isFinalStatus(execution.status) || outdated.size === 0) return undefined;
    const outer = Object.fromEntries(
      path.flatMap((_, depth) =>
        [...readRounds(path.slice(0, depth)).results].flatMap(([id, { output }]) =>
          output === undefined ? [] : [[id, output] as const],
        ),
      ),
    );
    return buildPreviewRequest({
      definition,
      catalogue,
      outdated,
      results: readRounds(path).results,
      pins,
      outer,
      // What the start of a body gets is its output in the last run.
      input: path.length === 0 ? execution.input : undefined,
      execution: { ...buildExecutionVariables(execution), resumeUrls: {} },
      vars,
      timeZone,
    });
  }, [execution, outdated, path, readRounds, definition, catalogue, pins, vars, timeZone]);
}
