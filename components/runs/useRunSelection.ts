import { useCallback, useMemo, useState } from 'react';
import { sortByStart, type LiveRun } from './live';
import { outermostNodeId, resultsOutsideLoops } from './timeline/rounds';
import { useStepKeys } from './timeline/useStepKeys';

/** The selected node of a run. `onCanvas` is the node on the canvas: the selected one, or the loop around it. */
export function useRunSelection(execution: LiveRun | undefined) {
  const [chosenId, setChosenId] = useState<string | null>();
  // A failed run opens at the failed node. Closing it (null) shows the whole run.
  const selectedId = (chosenId === undefined ? execution?.error?.nodeId : chosenId) ?? undefined;
  const onCanvas = selectedId === undefined ? undefined : outermostNodeId(selectedId);
  const select = useCallback((id: string | undefined) => setChosenId(id ?? null), []);
  const selectOnCanvas = useCallback((ids: readonly string[]) => {
    const [only] = ids.length === 1 ? ids : [];
    // The canvas reports only the loop: a node selected inside it stays selected.
    if (only !== undefined) setChosenId((before) => (before && outermostNodeId(before) === only ? before : only));
  }, []);
  const steps = useMemo(() => sortByStart(resultsOutsideLoops(execution?.nodeResults ?? [])), [execution]);
  useStepKeys(
    steps.filter(({ status }) => status !== 'skipped').map(({ nodeId }) => nodeId),
    onCanvas,
    select,
  );
  return { selectedId, onCanvas, select, selectOnCanvas };
}
