import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnnotateRunRequest } from '@/contract/annotation';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useObjectPermission } from '@/components/client/useObjectPermission';

/**
 * The annotation of a run, undefined while it is loading. `change` is absent unless the user may change the annotation.
 */
export function useAnnotation(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const params = { id: executionId };
  const options = trpc.annotations.get.queryOptions({ params });
  const { data: annotation } = useQuery(options);
  const mayChange = useObjectPermission('execution', 'update', executionId) === true;
  const set = useMutation(
    trpc.annotations.set.mutationOptions({
      onMutate: async ({ body }) => {
        await queryClient.cancelQueries({ queryKey: options.queryKey });
        queryClient.setQueryData(options.queryKey, (before) => before && { ...before, ...body });
      },
      onSuccess: (stored) => {
        // The response lacks the changes that were made after the request.
        if (queryClient.isMutating({ mutationKey: trpc.annotations.set.mutationKey() }) === 1)
          queryClient.setQueryData(options.queryKey, stored);
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
        void queryClient.invalidateQueries({ queryKey: trpc.annotations.tags.queryKey() });
      },
      onError: (error) => {
        void queryClient.invalidateQueries({ queryKey: options.queryKey });
        notifications.show({ color: 'madder', title: 'Not annotated', message: apiErrorSentence(error) });
      },
    }),
  );
  const change = (body: AnnotateRunRequest): void => set.mutate({ params, body });
  return { annotation, change: mayChange ? change : undefined };
}
