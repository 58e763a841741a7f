import { useCallback, useMemo } from 'react';
import { findDisconnectedNodes } from '@/components/graph/disconnected';
import { findUnknownNames } from '@/components/graph/edits/unknown-names';
import { definitionAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { drawnNodeId, findDrawnScope, ownIdInScope, type DrawnDefinition } from '@/components/graph/drawn';
import { undrawOpenLoops } from '@/components/graph/frames';
import { summarizeDrawnAgentCalls } from '@/components/runs/agent/drawn-agent-calls';
import type { LiveRun } from '@/components/runs/live';
import { mergeDrawnResults } from '@/components/runs/timeline/drawn-results';
import type { ReadCanvasRounds } from '@/components/runs/timeline/useCanvasRounds';
import { useStoreSlice } from '@/components/client/store';
import { addLivePreview, livePreviewStore } from '../live/live-preview';
import { issueSentencesByNode, moveIssuesToParts } from '../checks/locate-issue';
import { canvasIssuesByNode, useDraft, useDraftStore } from '../draft/draft';
import { pinnedOutputsAt } from '../pins/pinned-outputs';
import { useKnownVariableNames } from '../preview/useWorkspaceVariables';
import { canvasPath, drawCanvas, editCanvasRoot } from './open-loops';

/**
 * What the canvas draws of the draft: its definition with the bodies of open loops, and what is to be said about all
 * nodes.
 */
export function useDrawnCanvas(
  catalogue: NodeTypesByName,
  execution: LiveRun | undefined,
  readRounds: ReadCanvasRounds | undefined,
) {
  const store = useDraftStore();
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const view = useDraft(canvasPath);
  const openLoops = useDraft((draft) => draft.openLoops);
  const issues = useDraft((draft) => draft.issues);
  const pins = useDraft((draft) => draft.pins);
  const selectedIds = useDraft((draft) => draft.selectedIds);
  const variables = useKnownVariableNames();
  const definition = useMemo(
    () => drawCanvas({ definition: whole, path: view, openLoops }, catalogue),
    [whole, view, openLoops, catalogue],
  );
  const { scopes } = definition;
  const paths = useMemo(() => scopes?.map((scope) => scope.path) ?? [view], [scopes, view]);
  const marks = useMemo(() => {
    const collect = <Value>(read: (at: readonly string[]) => Iterable<readonly [string, Value]>) =>
      new Map(
        paths.flatMap((at) =>
          [...read(at)].map(([id, value]) => [drawnNodeId(at.slice(view.length), id), value] as const),
        ),
      );
    return {
      issues: collect((at) =>
        issueSentencesByNode(
          definitionAtPath(whole, at),
          moveIssuesToParts(definitionAtPath(whole, at), canvasIssuesByNode({ definition: whole, path: at, issues })),
          catalogue,
        ),
      ),
      warnings: collect((at) =>
        [...findUnknownNames(whole, at, catalogue, variables)].map(
          ([id, names]) => [id, names.map(({ message }) => message)] as const,
        ),
      ),
      disconnected: collect((at) => findDisconnectedNodes(definitionAtPath(whole, at), catalogue)),
      pinned: new Set(collect((at) => Object.entries(pinnedOutputsAt(pins, at))).keys()),
    };
  }, [paths, view, whole, issues, catalogue, variables, pins]);
  const ran = useMemo(() => mergeDrawnResults(paths, view.length, readRounds), [paths, view, readRounds]);
  const live = useStoreSlice(livePreviewStore, (state) => state);
  const { results, previewed, notRun } = useMemo(() => addLivePreview(ran, live, view), [ran, live, view]);
  const agentCalls = useMemo(
    () => summarizeDrawnAgentCalls(definition, view, execution?.nodeResults, readRounds),
    [definition, view, execution, readRounds],
  );
  const drawnIds = useMemo(
    () => (path === view ? selectedIds : selectedIds.map((id) => drawnNodeId(path.slice(view.length), id))),
    [path, view, selectedIds],
  );
  const change = useCallback(
    (next: DrawnDefinition, intent?: string) => {
      const draft = store.get();
      store.set(editCanvasRoot(draft, undrawOpenLoops(drawCanvas(draft, catalogue), next), intent));
    },
    [store, catalogue],
  );
  const select = useCallback(
    (ids: readonly string[]) => {
      const draft = store.get();
      const drawn = drawCanvas(draft, catalogue);
      const [first] = ids;
      // A selection is in one definition: that of its outermost node, whose frame stands for what is in it.
      const scopesOfIds = ids.flatMap((id) => findDrawnScope(drawn, id) ?? []);
      const scope = scopesOfIds.reduce<(typeof scopesOfIds)[number] | undefined>(
        (outer, one) => (outer && outer.path.length <= one.path.length ? outer : one),
        undefined,
      );
      const nextPath = first === undefined || !scope ? canvasPath(draft) : scope.path;
      const own = scope ? ids.flatMap((id) => ownIdInScope(scope, id) ?? []) : ids;
      const isSamePath = nextPath.join('/') === draft.path.join('/');
      const isSame = own.length === draft.selectedIds.length && own.every((id, at) => id === draft.selectedIds[at]);
      if (!isSame || (own.length > 0 && !isSamePath))
        store.set({ path: isSamePath ? draft.path : nextPath, selectedIds: own });
    },
    [store, catalogue],
  );
  return { definition, view, marks, results, agentCalls, previewed, notRun, selectedIds: drawnIds, change, select };
}
