import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnotationChange } from '@/contract/annotation';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';
import { useMay } from '@/components/client/useMay';

/** The annotation of a run; undefined while loading. `change`: absent unless the user may change it. */
export function useAnnotation(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const params = { id: executionId };
  const options = trpc.annotations.get.queryOptions({ params });
  const { data: annotation } = useQuery(options);
  const mayChange = useMay('execution', 'update', executionId) === true;
  const set = useMutation(
    trpc.annotations.set.mutationOptions({
      onMutate: async ({ body }) => {
        await queryClient.cancelQueries({ queryKey: options.queryKey });
        queryClient.setQueryData(options.queryKey, (before) => before && { ...before, ...body });
      },
      onSuccess: (stored) => {
        // The answer lacks what has been changed since.
        if (queryClient.isMutating({ mutationKey: trpc.annotations.set.mutationKey() }) === 1)
          queryClient.setQueryData(options.queryKey, stored);
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.annotations.tags.queryKey() });
      },
      onError: (error) => {
        void queryClient.invalidateQueries({ queryKey: options.queryKey });
        notifications.show({ color: 'madder', title: 'Not annotated', message: sentence(error) });
      },
    }),
  );
  const change = (body: AnnotationChange): void => set.mutate({ params, body });
  return { annotation, change: mayChange ? change : undefined };
}
