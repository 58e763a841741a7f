import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { draftFromWorkflow, replaceWithVersion, useDraftStore } from './draft';

/** Discards the draft: the canvas shows the live version again. Undo restores the draft on the canvas. */
export function useDiscardDraft(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const params = { id: store.get().saved.id };
  const { mutate, isPending } = useMutation(
    trpc.drafts.discard.mutationOptions({
      onSuccess: async () => {
        const live = await queryClient.fetchQuery({ ...trpc.workflows.get.queryOptions({ params }), staleTime: 0 });
        queryClient.setQueryData(trpc.drafts.get.queryKey({ params }), draftFromWorkflow(live));
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
        store.set(replaceWithVersion(store.get(), live));
        onDone();
      },
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not changed', message: apiErrorSentence(error) }),
    }),
  );
  return { isPending, discard: () => mutate({ params }) };
}
