import { useState } from 'react';
import type { NodeResult } from '@/contract/execution';
import { isFinalStatus } from '@/contract/states';
import { useCanvasRounds } from '@/components/runs/timeline/useCanvasRounds';
import { useRunReplay } from '@/components/runs/replay/useRunReplay';
import { useExecution } from '@/components/runs/useExecution';
import { singleSelectedId, useDraft, useDraftStore } from '../draft/draft';
import { useLatestRun } from './useLatestRun';

const EMPTY_NODE_RESULTS: ReadonlyMap<string, NodeResult> = new Map();

/**
 * The run shown in the editor with its results for the nodes on the canvas. Previews take their data from it, or from
 * the latest run while none is shown. `isPanelOpen`: the side panel shows the run unless a node is selected.
 */
export function useDisplayedRun(firstId: string | undefined, isPanelOpen: boolean) {
  const store = useDraftStore();
  const path = useDraft((draft) => draft.path);
  const [chosenId, show] = useState(firstId);
  const latestRun = useLatestRun(store.get().saved.id, chosenId === undefined);
  // A run that goes on while the editor opens is shown, as before a reload.
  const executionId = chosenId ?? (latestRun && !isFinalStatus(latestRun.status) ? latestRun.id : undefined);
  const { execution, isInterrupted } = useExecution(executionId);
  const { execution: latest } = useExecution(executionId ?? latestRun?.id);
  const isRunning = execution !== undefined && !isFinalStatus(execution.status);
  const isHidden = useDraft((draft) => isRunning && !(isPanelOpen && singleSelectedId(draft) === undefined));
  const replay = useRunReplay(execution);
  const readRounds = useCanvasRounds(replay.shown ?? latest);
  const rounds = readRounds(path);
  return {
    execution,
    replay,
    previewRun: replay.shown ?? latest,
    latest,
    isInterrupted,
    rounds,
    readRounds,
    results: execution ? rounds.results : EMPTY_NODE_RESULTS,
    /** Id of a run in progress whose panel is not visible. */
    hiddenId: isHidden ? execution?.id : undefined,
    show,
  };
}
