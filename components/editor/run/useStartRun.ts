import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Schema } from '@/components/forms/model/schema';
import { useDraftStore } from '../draft/draft';
import { sampleInput } from './sample';
import { useRun } from './useRun';

/** Saves and runs the workflow with its pins, with the sample that is pinned at the start node if there is one. `onInput` asks for the input if the start node has an input schema. */
export function useStartRun(
  save: () => Promise<boolean>,
  onStarted: (executionId: string) => void,
  onInput: () => void,
) {
  const store = useDraftStore();
  const [isSaving, setSaving] = useState(false);
  const run = useRun(onStarted);

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
    const schema = nodes.find((node) => node.type === 'start')?.config.inputSchema as Schema | undefined;
    if (schema) onInput();
    else void start(sampleInput(store.get()) ?? {});
  };
  return { start, startOrAskInput, isStarting: isSaving || run.isPending };
}
