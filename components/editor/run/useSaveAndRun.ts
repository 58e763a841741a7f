import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useDraftStore } from '../draft/draft';
import { findEditorStart, findStartNode, pinnedStartInput } from './sample-input';
import { useExecuteWorkflow } from './useExecuteWorkflow';

/**
 * Saves and runs the workflow with its pins, from the start node that was chosen last, with the sample that is pinned
 * there if there is one. `onInput` asks for the input if the start node has an input schema.
 */
export function useSaveAndRun(
  save: () => Promise<boolean>,
  onStarted: (executionId: string) => void,
  onInput: () => void,
) {
  const store = useDraftStore();
  const [isSaving, setSaving] = useState(false);
  const run = useExecuteWorkflow(onStarted);

  const start = async (input: Record<string, unknown>, wanted?: string) => {
    const chosen = findEditorStart(store.get());
    const startNodeId = chosen === undefined ? undefined : (wanted ?? chosen);
    setSaving(true);
    const isSaved = await save();
    setSaving(false);
    const { saved, refusal } = store.get();
    if (isSaved)
      return run.mutate({ params: { id: saved.id }, body: { input, startNodeId, useLatest: true, usePins: true } });
    notifications.show({
      color: 'madder',
      title: 'Not started',
      message: refusal ?? 'The workflow could not be saved, so it was not run.',
    });
  };
  const startOrAskInput = () => {
    const startNodeId = findEditorStart(store.get());
    const schema = findStartNode(store.get().definition, startNodeId)?.config.inputSchema;
    if (schema) onInput();
    else void start(pinnedStartInput(store.get(), startNodeId) ?? {});
  };
  return { start, startOrAskInput, isStarting: isSaving || run.isPending };
}
