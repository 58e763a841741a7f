import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { asSaved, replaced, useDraftStore } from './draft';

/** Makes an old version the current one again: what triggers run, and what is on the canvas. Undo brings back the drawing. */
export function useRestore() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const { id } = store.get().saved;
  const restore = useMutation(
    trpc.versions.restore.mutationOptions({
      onSuccess: (workflow) => {
        queryClient.setQueryData(trpc.drafts.get.queryKey({ params: { id } }), asSaved(workflow));
        for (const { list } of [trpc.workflows, trpc.versions])
          void queryClient.invalidateQueries({ queryKey: list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
        store.set(replaced(store.get(), workflow));
      },
      onError: (error) => notifications.show({ color: 'madder', title: 'Not restored', message: sentence(error) }),
    }),
  );
  return {
    isPending: restore.isPending,
    restore: (version: number, onDone?: () => void) =>
      restore.mutate({ params: { id, version: String(version) }, body: {} }, { onSuccess: onDone }),
  };
}
