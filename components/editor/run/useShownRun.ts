import { useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { isFinal } from '@/contract/states';
import { useRounds } from '@/components/executions/timeline/useRounds';
import { useExecution } from '@/components/executions/useExecution';
import { selectedId, useDraft, useDraftStore } from '../draft/draft';
import { useLastRun } from './useLastRun';

const NO_RESULTS: ReadonlyMap<string, NodeResult> = new Map();

/**
 * The run shown in the editor with its results for the nodes on the canvas. Previews take their data from it, or from
 * the latest run while none is shown. `isPanelOpen`: the side panel shows the run unless a node is selected.
 */
export function useShownRun(firstId: string | undefined, isPanelOpen: boolean) {
  const store = useDraftStore();
  const path = useDraft((draft) => draft.path);
  const [executionId, show] = useState(firstId);
  const latestId = useLastRun(store.get().saved.id, executionId);
  const { execution, isInterrupted } = useExecution(executionId);
  const { execution: latest } = useExecution(latestId);
  const isRunning = execution !== undefined && !isFinal(execution.status);
  const isHidden = useDraft((draft) => isRunning && !(isPanelOpen && selectedId(draft) === undefined));
  const rounds = useRounds(execution ?? latest, path);
  return {
    execution,
    previewRun: execution ?? latest,
    isInterrupted,
    rounds,
    results: execution ? rounds.results : NO_RESULTS,
    /** Id of a run in progress whose panel is not visible. */
    hiddenId: isHidden ? execution?.id : undefined,
    show,
  };
}
