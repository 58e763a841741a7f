import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { isFinal } from '@/contract/states';
import { useRerun } from '@/components/executions/useRerun';
import { useIssueSentence } from '../checks/useIssueSentence';
import { RESULT, shown, useDraft, useDraftStore } from '../draft/draft';
import { usePins } from '../pins/usePins';
import { useRunData } from './run-data';
import { inputFor } from '../preview/scope';
import { isRecord, sampleInput } from './sample';
import { useRun } from './useRun';

const asInput = (value: unknown) => (isRecord(value) ? value : {});

/**
 * Partial runs of the workflow on the canvas. They reuse the results of the last run if it got this far; pinned outputs
 * before the node replace them.
 */
export function usePartRuns(nodeId: string) {
  const store = useDraftStore();
  const pins = usePins();
  const { execution, results, save, onStarted: showRun } = useRunData();
  const onStarted = (executionId: string) => {
    store.set({ focus: { nodeId, field: RESULT } });
    showRun(executionId);
  };
  const isInLoop = useDraft((draft) => draft.path.length > 0);
  const definition = useDraft(shown);
  const [isSaving, setSaving] = useState(false);
  const execute = useRun(onStarted);
  const issueSentence = useIssueSentence();
  const rerun = useRerun(onStarted, (issues) => {
    store.set({ issues });
    return issueSentence(store.get().definition, issues);
  });

  const last = execution && isFinal(execution.status) ? execution : undefined;
  const sources = definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode);
  const sample = sampleInput(store.get());
  const isReached = results.has(nodeId) || sources.some((id) => results.get(id)?.port);
  const base = isReached ? last : undefined;
  // Absent means "the same input as before": JSON has no value for that.
  const input = sources.some((id) => id in pins) ? inputFor(definition, nodeId, results, pins) : undefined;

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
        input: sample ?? asInput(execution?.input),
        untilNodeId: nodeId,
        useLatest: true,
        usePins: true,
      },
    });
  const again = (id: string, untilNodeId: string | null, useLatest: boolean) =>
    rerun.mutate({ params: { id }, body: { fromNodeId: nodeId, untilNodeId, useLatest, usePins: useLatest, input } });

  return {
    /** Nodes inside a loop run only with their loop. */
    isPossible: !isInLoop,
    isStarting: isSaving || execute.isPending || rerun.isPending,
    /** Runs the node alone with its last input; without one, also the nodes before it. */
    node: () => void saved(() => (base ? again(base.id, nodeId, true) : upTo())),
    upTo: () => void saved(upTo),
    /** Runs from this node to the end, with the current or the earlier version. Undefined: no run got this far. */
    onward: base && ((useLatest: boolean) => void saved(() => again(base.id, null, useLatest))),
  };
}
