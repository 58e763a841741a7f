import { useDraft } from '../draft/draft';
import { useEditorRun } from '../run/editor-run';
import { indexNodeTypes, type NodeTypesByName } from '@/components/graph/cards-and-edges';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useMemo } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { LiveRun } from '@/components/runs/live';

export interface TestedWorkflow {
  definition: WorkflowDefinition;
  catalogue: NodeTypesByName;
  /** The run whose values are offered: the run on the canvas, otherwise the latest one. */
  run: LiveRun | undefined;
  /** The result of a node in this run. A path for every round gives the result of the first round. */
  resultOf(path: string): NodeResult | undefined;
}

/** The workflow that is tested, and a run of it. */
export function useTestedWorkflow(): TestedWorkflow {
  const definition = useDraft((draft) => draft.definition);
  const types = useNodeTypes();
  const catalogue = useMemo(() => indexNodeTypes(types.data ?? []), [types.data]);
  const { latest: run } = useEditorRun();
  const resultOf = (path: string) => run?.nodeResults.find(({ nodeId }) => nodeId === path.replaceAll('[].', '[0].'));
  return { definition, catalogue, run, resultOf };
}
