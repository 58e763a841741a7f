import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';

/** Cancels a run in progress. */
export function useCancel(executionId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(
    trpc.executions.cancel.mutationOptions({
      onError: (error) => notifications.show({ color: 'madder', title: 'Not cancelled', message: sentence(error) }),
      onSettled: () =>
        queryClient.invalidateQueries({ queryKey: trpc.executions.get.queryKey({ params: { id: executionId } }) }),
    }),
  );
  return { isPending: cancel.isPending, cancel: () => cancel.mutate({ params: { id: executionId } }) };
}
