import { useMemo } from 'react';
import type { NodeResult } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import type { PreviewNodesRequest } from '@/contract/workflows/node-preview';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useExpressionEvaluator } from '@/components/client/queries/useExpressionEvaluator';
import { buildExecutionVariables } from '@/components/forms/model/preview-expression';
import { definitionAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { reachableNodeIds } from '@/components/graph/walk';
import { useDraft } from '../draft/draft';
import { useOutdatedNodes } from '../draft/useOutdatedNodes';
import { pinnedOutputsAt, type OutputsByNode } from '../pins/pinned-outputs';
import { computeBodySample } from '../preview/loop-sample';
import { useWorkspaceVariables } from '../preview/useWorkspaceVariables';
import { useEditorRun } from '../run/editor-run';
import { buildPreviewRequest, type OuterOutput } from './preview-request';

/** Builds the request of a live preview. Undefined: there is nothing to compute, or no data for it. */
export type ReadPreviewRequest = () => Promise<PreviewNodesRequest | undefined>;

/**
 * Reads what the live preview of the edited definition needs; another function after each change of it. Undefined:
 * there is no data, or a run is in progress.
 */
export function useLivePreviewReader(catalogue: NodeTypesByName): ReadPreviewRequest | undefined {
  const whole = useDraft((draft) => draft.definition);
  const path = useDraft((draft) => draft.path);
  const allPins = useDraft((draft) => draft.pins);
  const timeZone = useDraft(({ saved }) => saved.settings.timeZone ?? undefined);
  const vars = useWorkspaceVariables();
  const evaluate = useExpressionEvaluator();
  const { execution, readRounds } = useEditorRun();
  const changed = useOutdatedNodes(execution);
  return useMemo(() => {
    if (!execution || !isFinalStatus(execution.status)) return undefined;
    const resultsAt = (at: readonly string[]) => readRounds(at).results;
    const pinsAt = (at: readonly string[]) => pinnedOutputsAt(allPins, at);
    return async () => {
      const definition = definitionAtPath(whole, path);
      const { results, chosen } = readRounds(path);
      const isBody = path.length > 0;
      const outdated = new Set(changed);
      // A body that has not run, and what follows the only node of a run, have no results that could be outdated.
      if (isBody && chosen === undefined) for (const { id } of definition.nodes) outdated.add(id);
      const last = execution.untilNodeId;
      if (!isBody && last !== null)
        for (const id of reachableNodeIds(definition, [last], 'downstream')) if (id !== last) outdated.add(id);
      if (outdated.size === 0) return undefined;
      const sources = { definition: whole, resultsAt, pinsAt, titlesAt: () => ({}), evaluate };
      const { starts } = isBody ? await computeBodySample(sources, path) : { starts: {} };
      const isOpen = ([id]: [string, unknown]) => outdated.has(id) || results.get(id)?.output === undefined;
      const given = Object.fromEntries(Object.entries(starts).filter(isOpen));
      return buildPreviewRequest({
        definition,
        dialect: whole,
        catalogue,
        outdated,
        results,
        pins: { ...given, ...pinsAt(path) },
        outer: path.flatMap((_, depth) => {
          const around = path.slice(0, depth);
          return listOuterOutputs(definitionAtPath(whole, around), resultsAt(around), pinsAt(around));
        }),
        // What the start of a body gets is its output.
        input: isBody ? undefined : execution.input,
        execution: { ...buildExecutionVariables(execution), resumeUrls: {} },
        vars,
        timeZone,
      });
    };
  }, [execution, changed, path, readRounds, whole, catalogue, allPins, vars, evaluate, timeZone]);
}

function listOuterOutputs(
  { nodes }: WorkflowDefinition,
  results: ReadonlyMap<string, NodeResult>,
  pins: OutputsByNode,
): OuterOutput[] {
  return nodes.flatMap((node) => {
    const output = node.id in pins ? pins[node.id] : results.get(node.id)?.output;
    return output === undefined ? [] : [{ node, output }];
  });
}
