import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { FieldSchema } from '@/components/forms/model/field-schema';
import { useDraftStore } from '../draft/draft';
import { pinnedStartInput } from './sample-input';
import { useExecuteWorkflow } from './useExecuteWorkflow';

/**
 * Saves and runs the workflow with its pins, with the sample that is pinned at the start node if there is one.
 * `onInput` asks for the input if the start node has an input schema.
 */
export function useSaveAndRun(
  save: () => Promise<boolean>,
  onStarted: (executionId: string) => void,
  onInput: () => void,
) {
  const store = useDraftStore();
  const [isSaving, setSaving] = useState(false);
  const run = useExecuteWorkflow(onStarted);

  const start = async (input: Record<string, unknown>) => {
    setSaving(true);
    const isSaved = await save();
    setSaving(false);
    const { saved, refusal } = store.get();
    if (isSaved) return run.mutate({ params: { id: saved.id }, body: { input, useLatest: true, usePins: true } });
    notifications.show({
      color: 'madder',
      title: 'Not started',
      message: refusal ?? 'The workflow could not be saved, so it was not run.',
    });
  };
  const startOrAskInput = () => {
    const { nodes } = store.get().definition;
    const schema = nodes.find((node) => node.type === 'start')?.config.inputSchema as FieldSchema | undefined;
    if (schema) onInput();
    else void start(pinnedStartInput(store.get()) ?? {});
  };
  return { start, startOrAskInput, isStarting: isSaving || run.isPending };
}
