import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';

/** Runs an execution again, from the start or from a node, and passes on the id of the new one. */
export function useRerun(onStarted: (executionId: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.executions.rerun.mutationOptions({
      onSuccess: ({ executionId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
        onStarted(executionId);
      },
      onError: (error) => notifications.show({ color: 'madder', title: 'Not started again', message: sentence(error) }),
    }),
  );
}
