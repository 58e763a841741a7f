import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FieldError } from '@/contract/error';
import { problemOf, sentence } from '@/components/client/problem';
import { useTRPC } from '@/components/client/trpc';

/**
 * Runs an execution again, from the start or from a node, and passes on the id of the new one. `tell` says what is refused in the words
 * of the workflow; undefined: the words of the service are shown.
 */
export function useRerun(
  onStarted: (executionId: string) => void,
  tell?: (issues: FieldError[]) => string | undefined,
) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.executions.rerun.mutationOptions({
      onSuccess: ({ executionId }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
        onStarted(executionId);
      },
      onError: (error) =>
        notifications.show({
          color: 'madder',
          title: 'Not started again',
          message: tell?.(problemOf(error).details) ?? sentence(error),
        }),
    }),
  );
}
