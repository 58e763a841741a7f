import { useDraft } from '../draft/draft';
import { useRunData } from '../run/run-data';
import { catalogueOf, type Catalogue } from '@/components/graph/flow';
import { useNodeTypes } from '@/components/client/queries/useNodeTypes';
import { useMemo } from 'react';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import type { Run } from '@/components/executions/live';

export interface Tested {
  definition: Definition;
  catalogue: Catalogue;
  /** The run of which values are offered: the one shown, otherwise the latest. */
  run: Run | undefined;
  /** Its result of a node; for every round, that of the first. */
  resultOf(path: string): NodeResult | undefined;
}

/** The workflow that is tested, and a run of it. */
export function useTested(): Tested {
  const definition = useDraft((draft) => draft.definition);
  const types = useNodeTypes();
  const catalogue = useMemo(() => catalogueOf(types.data ?? []), [types.data]);
  const { execution: run } = useRunData();
  const resultOf = (path: string) => run?.nodeResults.find(({ nodeId }) => nodeId === path.replaceAll('[].', '[0].'));
  return { definition, catalogue, run, resultOf };
}
