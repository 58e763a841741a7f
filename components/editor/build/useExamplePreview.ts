import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { PreviewedNode, PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { useDraft } from '../draft/draft';
import { requestNodePreview } from '../live/request-node-preview';
import { clearLivePreview, livePreviewStore, type DrawnPreview } from '../live/live-preview';
import { buildPreviewRequest } from '../live/preview-request';
import { pinnedOutputsAt, type OutputsByNode } from '../pins/pinned-outputs';
import { exampleOutputs } from '../preview/example-outputs';
import { useNodeConnectors } from '../preview/useNodeConnectors';
import { useWorkspaceVariables } from '../preview/useWorkspaceVariables';
import { useEditorRun } from '../run/editor-run';
import type { AppliedProposalState } from './applied-proposal-state';
import { drawingStepMs, drawInDefinition, findNodeColumns, isMotionReduced } from './draw-in';

/** A change of the proposal is previewed when the typing pauses. */
const PREVIEW_DELAY_MS = 400;

/** What became of the example data so far. */
export interface ExamplePreview {
  /** The nodes that it went through. */
  computed: readonly string[];
  /** The nodes that would fail with it. */
  failed: readonly string[];
  /** The nodes at which it ended, because they act outside. */
  notRun: readonly string[];
  /** The nodes that act outside and were not run: the data went on with the documented example of their operation. */
  examples: readonly string[];
}

const EMPTY_RESULTS: ReadonlyMap<string, NodeResult> = new Map();

/** The nodes whose examples were sent, and that something reached. */
function listExamplePreviews(
  { known }: PreviewNodesRequest,
  examples: OutputsByNode,
  answered: readonly PreviewedNode[],
): DrawnPreview[] {
  const skipped = new Set(answered.flatMap(({ nodeId, status }) => (status === 'skipped' ? [nodeId] : [])));
  return Object.entries(examples).flatMap(([nodeId, output]) =>
    Object.hasOwn(known, nodeId) && !skipped.has(nodeId)
      ? [{ nodeId, status: 'completed', output, port: 'output', error: null, isExample: true }]
      : [],
  );
}

/**
 * Draws an applied proposal, and then leads example data through the nodes that only compute, column by column. Nothing
 * outside is called. Undefined: there is no preview, because a run has data of its own, or the data is not known yet.
 */
export function useExamplePreview(
  { exampleInput, beforeIds }: AppliedProposalState,
  catalogue: NodeTypesByName,
): ExamplePreview | undefined {
  const definition = useDraft((draft) => draft.definition);
  const pins = useDraft((draft) => draft.pins);
  const timeZone = useDraft(({ saved }) => saved.settings.timeZone ?? undefined);
  const vars = useWorkspaceVariables();
  const connectors = useNodeConnectors(definition);
  const examples = useMemo(() => exampleOutputs(definition, connectors, EMPTY_RESULTS), [definition, connectors]);
  const { execution } = useEditorRun();
  const [preview, setPreview] = useState<ExamplePreview>();
  const drawnUntil = useRef<number>(undefined);
  const hasPreviewed = useRef(false);

  const draw = useEffectEvent(() => {
    drawnUntil.current ??= performance.now() + drawInDefinition(definition, (id) => !beforeIds.includes(id));
    return drawnUntil.current - performance.now();
  });
  const showPreview = useEffectEvent(async (now: WorkflowDefinition, examples: OutputsByNode, signal: AbortSignal) => {
    const pinned = pinnedOutputsAt(pins, []);
    const request = buildPreviewRequest({
      definition: now,
      dialect: now,
      catalogue,
      outdated: new Set(now.nodes.map(({ id }) => id)),
      results: EMPTY_RESULTS,
      pins: { ...examples, ...pinned },
      outer: [],
      input: exampleInput,
      execution: { ...buildExecutionVariables(undefined), input: exampleInput, resumeUrls: {} },
      vars,
      timeZone,
    });
    if (!request) return setPreview(undefined);
    try {
      const { results: answered } = await requestNodePreview(request, signal);
      const results: DrawnPreview[] = [...answered, ...listExamplePreviews(request, examples, answered)];
      const columns = findNodeColumns(now);
      const isFirst = !hasPreviewed.current;
      hasPreviewed.current = true;
      const steps = isFirst && !isMotionReduced() ? Math.max(0, ...columns.values()) : 0;
      for (let column = 0; column <= steps && !signal.aborted; column += 1) {
        const shown = steps === 0 ? results : results.filter(({ nodeId }) => (columns.get(nodeId) ?? 0) <= column);
        livePreviewStore.set({ path: [], nodes: new Map(shown.map((one) => [one.nodeId, one])) });
        if (column < steps) await new Promise((done) => setTimeout(done, drawingStepMs(columns)));
      }
      if (signal.aborted) return;
      const list = (wanted: DrawnPreview['status']) =>
        answered.flatMap(({ nodeId, status }) => (status === wanted ? [nodeId] : []));
      setPreview({
        computed: list('completed'),
        failed: list('failed'),
        notRun: list('stopped'),
        examples: results.flatMap(({ nodeId, isExample }) => (isExample ? [nodeId] : [])),
      });
    } catch {
      // Without the service there is no preview; what is left to do is shown all the same.
      if (!signal.aborted) setPreview(undefined);
    }
  });
  const hasRun = execution !== undefined;
  useEffect(() => {
    const drawingMs = draw();
    if (hasRun) {
      // Its results are shown in place of the examples.
      clearLivePreview();
      return setPreview(undefined);
    }
    const calling = new AbortController();
    const timer = setTimeout(
      () => void showPreview(definition, examples, calling.signal),
      Math.max(drawingMs, hasPreviewed.current ? PREVIEW_DELAY_MS : 0),
    );
    return () => {
      clearTimeout(timer);
      calling.abort();
    };
  }, [definition, hasRun, examples]);
  useEffect(() => clearLivePreview, []);
  return preview;
}
