import { useEffect, useMemo, useState } from 'react';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { previewValue } from '@/components/forms/model/preview-value';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { PreviewData } from '@/components/forms/preview-context';
import { useExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { nodeTitlesById } from '@/components/graph/summary';
import { canvasDefinition, useDraft } from '../draft/draft';
import { definitionAtPath } from '@/components/graph/body';
import { pinnedOutputsAt } from '../pins/pinned-outputs';
import { useCanvasPins } from '../pins/useCanvasPins';
import { useEditorRun } from '../run/editor-run';
import { exampleOutputs } from './example-outputs';
import { knownEachList, previewFirstItem } from './each-scope';
import { followFirstItem, type PairedSample } from './paired-sample';
import { buildNodePreview } from './preview-scope';
import { computeBodySample, EMPTY_BODY_SAMPLE, type BodySample, type SampleSources } from './loop-sample';
import { useNodeConnectors } from './useNodeConnectors';
import { useWorkspaceVariables } from './useWorkspaceVariables';

/**
 * Preview data for a node on the canvas: what arrives, and what its expressions see, which is one item where it runs
 * for each.
 */
export function useNodePreview(
  node: WorkflowNode,
  catalogue: NodeTypesByName,
): { arriving: PreviewData; preview: PreviewData } {
  const arriving = useArrivingData(node.id, catalogue);
  const known = knownEachList(node, arriving, useExpressionLanguage());
  const list = useEvaluatedList(known === undefined ? node.each?.items : undefined, arriving) ?? known;
  const pairedSample = usePairedSample(node, arriving);
  const { each, disabled } = node;
  const preview = useMemo(
    () => (each && !disabled ? withPairedSample(previewFirstItem(arriving, list), pairedSample) : arriving),
    [each, disabled, arriving, list, pairedSample],
  );
  return { arriving, preview };
}

/** Where the first item of a node with `each` came from. */
function usePairedSample(node: WorkflowNode, { scope, names }: PreviewData): PairedSample | undefined {
  const definition = useDraft(canvasDefinition);
  const pins = useCanvasPins();
  const { results } = useEditorRun();
  const { nodes: outputs } = scope;
  return useMemo(
    () => (node.each ? followFirstItem(node, { definition, outputs, results, pins, titles: names ?? {} }) : undefined),
    [node, definition, outputs, results, pins, names],
  );
}

const withPairedSample = (preview: PreviewData, sample: PairedSample | undefined): PreviewData => ({
  ...preview,
  scope: { ...preview.scope, paired: sample?.paired ?? {} },
  pairedEnd: sample?.end,
});

/** The value of an expression that is no path, once it is evaluated. */
function useEvaluatedList(source: string | undefined, preview: PreviewData): unknown {
  const [value, setValue] = useState<unknown>();
  const language = useExpressionLanguage();
  useEffect(() => {
    setValue(undefined);
    if (source === undefined || !preview.hasData) return;
    let isOver = false;
    void previewValue(source, true, preview, language).then((outcome) => {
      if (!isOver && outcome && 'value' in outcome) setValue(outcome.value);
    });
    return () => {
      isOver = true;
    };
  }, [source, preview, language]);
  return value;
}

function useArrivingData(nodeId: string, catalogue: NodeTypesByName): PreviewData {
  const definition = useDraft(canvasDefinition);
  const pins = useCanvasPins();
  const { execution, results } = useEditorRun();
  const variables = useWorkspaceVariables();
  const evaluate = useExpressionEvaluator();
  const timeZone = useDraft(({ saved }) => saved.settings.timeZone ?? undefined);
  const connectors = useNodeConnectors(definition);
  const body = useBodySample(catalogue);
  return useMemo(() => {
    const samples = exampleOutputs(definition, connectors, results);
    const starts = Object.entries(body.starts).filter(([id]) => results.get(id)?.output === undefined);
    const preview = buildNodePreview(definition, nodeId, {
      results,
      pins: { ...samples, ...Object.fromEntries(starts), ...pins },
      execution,
      vars: variables,
      titles: { ...body.outerTitles, ...nodeTitlesById(definition, catalogue) },
      outer: body.outer,
    });
    return { ...preview, evaluate: (request) => evaluate({ ...request, timeZone }) };
  }, [definition, nodeId, catalogue, results, pins, execution, variables, connectors, body, evaluate, timeZone]);
}

/** What the edited definition sees as the body of a loop: the first item, and what is before the loop. */
function useBodySample(catalogue: NodeTypesByName): BodySample {
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const allPins = useDraft((draft) => draft.pins);
  const { readRounds } = useEditorRun();
  const evaluate = useExpressionEvaluator();
  const [sample, setSample] = useState(EMPTY_BODY_SAMPLE);
  useEffect(() => {
    if (path.length === 0) return setSample(EMPTY_BODY_SAMPLE);
    let isOver = false;
    const sources: SampleSources = {
      definition: whole,
      resultsAt: (at) => readRounds(at).results,
      pinsAt: (at) => pinnedOutputsAt(allPins, at),
      titlesAt: (at) => nodeTitlesById(definitionAtPath(whole, at), catalogue),
      evaluate,
    };
    void computeBodySample(sources, path).then((next) => {
      if (!isOver) setSample(next);
    });
    return () => {
      isOver = true;
    };
  }, [whole, path, allPins, readRounds, catalogue, evaluate]);
  return sample;
}
