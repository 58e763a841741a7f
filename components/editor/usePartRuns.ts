import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { isFinal } from '@/contract/states';
import { useRerun } from '../executions/useRerun';
import { shown, useDraft, useDraftStore } from './draft';
import { usePins } from './pins';
import { useRunData } from './run-data';
import { inputFor } from './scope';
import { useRun } from './useRun';

const asInput = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/**
 * Runs of a part of the workflow, as it is on the canvas. Where the last run got as far, its results are used again;
 * what is pinned before the node goes into it in their place.
 */
export function usePartRuns(nodeId: string) {
  const store = useDraftStore();
  const pins = usePins(store.get().saved.id);
  const { execution, results, save, onStarted } = useRunData();
  const isInLoop = useDraft((draft) => draft.path.length > 0);
  const definition = useDraft(shown);
  const [isSaving, setSaving] = useState(false);
  const execute = useRun(onStarted);
  const rerun = useRerun(onStarted);

  const last = execution && isFinal(execution.status) ? execution : undefined;
  const sources = definition.connections.filter((c) => c.targetNode === nodeId).map((c) => c.sourceNode);
  const isReached = results.has(nodeId) || sources.some((id) => results.get(id)?.port);
  const base = isReached ? last : undefined;
  // The wire carries no value of a service's own for "the same again": absent says that.
  const input = sources.some((id) => id in pins) ? inputFor(definition, nodeId, results, pins) : undefined;

  const saved = async (start: () => void) => {
    setSaving(true);
    const isSaved = await save();
    setSaving(false);
    if (isSaved) return start();
    const message = store.get().refusal ?? 'What is on the canvas could not be saved, so it was not run.';
    notifications.show({ color: 'madder', title: 'Not started', message });
  };
  const upTo = () =>
    execute.mutate({
      params: { id: store.get().saved.id },
      body: { input: asInput(execution?.input), untilNodeId: nodeId, useLatest: true },
    });
  const again = (id: string, untilNodeId: string | null, useLatest: boolean) =>
    rerun.mutate({ params: { id }, body: { fromNodeId: nodeId, untilNodeId, useLatest, input } });

  return {
    /** Nodes inside a loop run with their loop. */
    isPossible: !isInLoop,
    isStarting: isSaving || execute.isPending || rerun.isPending,
    /** This node alone, with what came into it; all that leads to it as well, where nothing has yet. */
    node: () => void saved(() => (base ? again(base.id, nodeId, true) : upTo())),
    upTo: () => void saved(upTo),
    /** From this node to the end, as drawn now or as it was. Undefined: no run got this far. */
    onward: base && ((useLatest: boolean) => void saved(() => again(base.id, null, useLatest))),
  };
}
