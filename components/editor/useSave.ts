import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WorkflowStatus } from '@/contract/workflow';
import { problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { isDirty, issueSentence, newDraft, savedAs, useDraftStore } from './draft';

/**
 * Saving, and what may come of it. `save` answers whether the service now has what is on the canvas. With
 * `isConflict`, somebody else saved meanwhile: `overwrite` keeps this version, `discard` takes theirs.
 */
export function useSave() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const [isConflict, setConflict] = useState(false);
  const update = useMutation(trpc.workflows.update.mutationOptions());
  const getOptions = trpc.workflows.get.queryOptions({ params: { id: store.get().saved.id } });

  const put = async (change: { status?: WorkflowStatus; version?: number }) => {
    const { saved, name, definition } = store.get();
    const content = { name: name.trim() || saved.name, definition };
    try {
      const workflow = await update.mutateAsync({ params: { id: saved.id }, body: { ...content, ...change } });
      store.set({ ...savedAs(workflow, definition), name: workflow.name });
      queryClient.setQueryData(getOptions.queryKey, workflow);
      await queryClient.invalidateQueries({ queryKey: trpc.workflows.list.queryKey() });
      return true;
    } catch (error) {
      const { code, details } = problemOf(error);
      if (code === 'CONFLICT' && change.version !== undefined && change.status === undefined) setConflict(true);
      else
        notifications.show({
          color: 'madder',
          title: 'Not saved',
          message: issueSentence(definition, details) ?? sentence(error),
        });
      store.set({ issues: details });
      return false;
    }
  };

  const save = async () => !isDirty(store.get()) || put({ version: store.get().saved.version });
  return {
    isSaving: update.isPending,
    isConflict,
    save,
    setStatus: (status: WorkflowStatus) => put({ status, version: store.get().saved.version }),
    overwrite: async () => {
      setConflict(false);
      await put({});
    },
    discard: async () => {
      setConflict(false);
      store.set(newDraft(await queryClient.fetchQuery({ ...getOptions, staleTime: 0 })));
    },
  };
}
