import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FieldIssue } from '@/contract/error-response';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';

/**
 * Runs an execution again, from the start or from a node, and passes on the id of the new one. `tell` says what is
 * refused in the words of the workflow; undefined: the words of the service are shown.
 */
export function useRerun(
  onStarted: (executionId: string) => void,
  tell?: (issues: FieldIssue[]) => string | undefined,
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
          message: tell?.(readApiError(error).details) ?? apiErrorSentence(error),
        }),
    }),
  );
}
