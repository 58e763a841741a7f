import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readApiError, apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useIssueSentence } from '../checks/useIssueSentence';
import { useDraftStore } from '../draft/draft';

/** Starts a run of the last saved version, and passes on the id of the execution. */
export function useExecuteWorkflow(onStarted: (executionId: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  const issueSentence = useIssueSentence();
  return useMutation(
    trpc.workflows.execute.mutationOptions({
      onSuccess: ({ executionId }) => {
        store.set({ issues: [] });
        onStarted(executionId);
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
      },
      onError: (error) => {
        const { details } = readApiError(error);
        store.set({ issues: details });
        const message = issueSentence(store.get().definition, details) ?? apiErrorSentence(error);
        notifications.show({ color: 'madder', title: 'Not started', message });
      },
    }),
  );
}
