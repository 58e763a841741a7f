import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { asSaved, replaced, useDraftStore } from './draft';

/** Gives up what waits to be published: the canvas goes back to what triggers run. Undo brings the drawing back. */
export function useDiscard(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const params = { id: store.get().saved.id };
  const { mutate, isPending } = useMutation(
    trpc.drafts.discard.mutationOptions({
      onSuccess: async () => {
        const live = await queryClient.fetchQuery({ ...trpc.workflows.get.queryOptions({ params }), staleTime: 0 });
        queryClient.setQueryData(trpc.drafts.get.queryKey({ params }), asSaved(live));
        void queryClient.invalidateQueries({ queryKey: trpc.workflows.gaps.queryKey() });
        store.set(replaced(store.get(), live));
        onDone();
      },
      onError: (error) => notifications.show({ color: 'madder', title: 'Not changed', message: sentence(error) }),
    }),
  );
  return { isPending, discard: () => mutate({ params }) };
}
