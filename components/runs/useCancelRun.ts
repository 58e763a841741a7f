import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

/** Cancels a run in progress. */
export function useCancelRun(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(
    trpc.executions.cancel.mutationOptions({
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not cancelled', message: apiErrorSentence(error) }),
      onSettled: () =>
        queryClient.invalidateQueries({ queryKey: trpc.executions.get.queryKey({ params: { id: executionId } }) }),
    }),
  );
  return { isPending: cancel.isPending, cancel: () => cancel.mutate({ params: { id: executionId } }) };
}
