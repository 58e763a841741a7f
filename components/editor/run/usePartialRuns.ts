import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { isFinalStatus } from '@/contract/states';
import { indexNodeResults } from '@/components/runs/live';
import { useRerun } from '@/components/runs/useRerun';
import { useIssueSentence } from '../checks/useIssueSentence';
import { definitionAtPath } from '@/components/graph/body';
import { RESULT_FIELD, useDraft, useDraftStore } from '../draft/draft';
import { pinnedOutputsAt } from '../pins/pinned-outputs';
import { useEditorRun } from './editor-run';
import { nodeInputForPreview } from '../preview/node-input';
import { findEditorStart, isNonArrayObject, pinnedStartInput } from './sample-input';
import { useExecuteWorkflow } from './useExecuteWorkflow';

const runInputOrEmpty = (value: unknown) => (isNonArrayObject(value) ? value : {});

/**
 * Partial runs of the workflow, at a node inside the loops of `at`, by default of the edited definition. They reuse the
 * results of the last run if it got this far; pinned outputs before the node replace them.
 */
export function usePartialRuns(nodeId: string, at?: readonly string[]) {
  const store = useDraftStore();
  const path = useDraft((draft) => at ?? draft.path);
  const allPins = useDraft((draft) => draft.pins);
  const pins = pinnedOutputsAt(allPins, path);
  const { latest: execution, save, onStarted: showRun } = useEditorRun();
  const results = useMemo(() => indexNodeResults(execution), [execution]);
  const onStarted = (executionId: string) => {
    store.set({ focus: { nodeId, field: RESULT_FIELD } });
    showRun(executionId);
  };
  const isInLoop = path.length > 0;
  const definition = definitionAtPath(
    useDraft((draft) => draft.definition),
    path,
  );
  const node = definition.nodes.find(({ id }) => id === nodeId);
  const [isSaving, setSaving] = useState(false);
  const execute = useExecuteWorkflow(onStarted);
  const issueSentence = useIssueSentence();
  const rerun = useRerun(onStarted, (issues) => {
    store.set({ issues });
    return issueSentence(store.get().definition, issues);
  });

  const last = execution && isFinalStatus(execution.status) ? execution : undefined;
  const sources = definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode);
  const startNodeId = findEditorStart(store.get(), nodeId);
  const sample = pinnedStartInput(store.get(), startNodeId);
  const isReached = results.has(nodeId) || sources.some((id) => results.get(id)?.port);
  const base = isReached ? last : undefined;
  // Absent means "the same input as before": JSON has no value for that.
  const input = sources.some((id) => id in pins) ? nodeInputForPreview(definition, nodeId, results, pins) : undefined;

  const saved = async (start: () => void) => {
    setSaving(true);
    const isSaved = await save();
    setSaving(false);
    if (isSaved) return start();
    const message = store.get().refusal ?? 'The workflow could not be saved, so it was not run.';
    notifications.show({ color: 'madder', title: 'Not started', message });
  };
  const upTo = () =>
    execute.mutate({
      params: { id: store.get().saved.id },
      body: {
        input: sample ?? runInputOrEmpty(execution?.input),
        untilNodeId: nodeId,
        startNodeId,
        useLatest: true,
        usePins: true,
      },
    });
  const again = (id: string, untilNodeId: string | null, useLatest: boolean, firstItemOnly = false) =>
    rerun.mutate({
      params: { id },
      body: { fromNodeId: nodeId, untilNodeId, useLatest, usePins: useLatest, input, firstItemOnly },
    });

  return {
    /** Nodes inside a loop run only with their loop. */
    isPossible: !isInLoop,
    isStarting: isSaving || execute.isPending || rerun.isPending,
    /** Runs the node alone with its last input; without one, also the nodes before it. */
    node: () => void saved(() => (base ? again(base.id, nodeId, true) : upTo())),
    runsForEach: node?.type === 'for_each' || (node?.each !== undefined && !node.disabled),
    /** Runs the node alone with the first item of its list only. Undefined: no run got this far. */
    firstItem: base && (() => void saved(() => again(base.id, nodeId, true, true))),
    upTo: () => void saved(upTo),
    /** Runs from this node to the end, with the current or the earlier version. Undefined: no run got this far. */
    onward: base && ((useLatest: boolean) => void saved(() => again(base.id, null, useLatest))),
  };
}
