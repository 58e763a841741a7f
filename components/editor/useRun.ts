import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { problemOf, sentence } from '../client/problem';
import { useTRPC } from '../client/trpc';
import { useDraftStore } from './draft';

/** Starts a run of what was last saved, and tells the id of the execution. */
export function useRun(onStarted: (executionId: string) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const store = useDraftStore();
  return useMutation(
    trpc.workflows.execute.mutationOptions({
      onSuccess: ({ executionId }) => {
        store.set({ issues: [] });
        onStarted(executionId);
        void queryClient.invalidateQueries({ queryKey: trpc.executions.list.queryKey() });
      },
      onError: (error) => {
        store.set({ issues: problemOf(error).details });
        notifications.show({ color: 'madder', title: 'Not started', message: sentence(error) });
      },
    }),
  );
}
