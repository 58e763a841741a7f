import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { draftFromWorkflow, replaceWithVersion, useDraftStore } from '../draft/draft';

/** Restores an old version as the current one, for triggers and on the canvas. Undo restores the canvas only. */
export function useRestoreVersion() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const { id } = store.get().saved;
  const restore = useMutation(
    trpc.versions.restore.mutationOptions({
      onSuccess: (workflow) => {
        queryClient.setQueryData(trpc.drafts.get.queryKey({ params: { id } }), draftFromWorkflow(workflow));
        for (const { list } of [trpc.workflows, trpc.versions])
          void queryClient.invalidateQueries({ queryKey: list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
        store.set(replaceWithVersion(store.get(), workflow));
      },
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not restored', message: apiErrorSentence(error) }),
    }),
  );
  return {
    isPending: restore.isPending,
    restore: (version: number, onDone?: () => void) =>
      restore.mutate({ params: { id, version: String(version) }, body: {} }, { onSuccess: onDone }),
  };
}
