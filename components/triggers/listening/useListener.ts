import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiErrorSentence } from '@/components/client/api-error';
import { useTRPC } from '@/components/client/trpc';
import { useObjectPermission } from '@/components/client/useObjectPermission';

/** The live channel reports calls at once. Polling finds the calls that the channel lost. */
const LISTENER_REFRESH_MS = 3000;

/** The caller's listener in a workflow: whether they wait for a test call, and the call once it has arrived. */
export function useListener(workflowId: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const mayListen = useObjectPermission('workflow', 'execute', workflowId) === true;
  const options = trpc.listeners.get.queryOptions({ params: { id: workflowId } });
  const { data, dataUpdatedAt } = useQuery({
    ...options,
    enabled: mayListen,
    refetchInterval: ({ state }) => (state.data?.listener && !state.data.listener.call ? LISTENER_REFRESH_MS : false),
  });
  const start = useMutation(
    trpc.listeners.start.mutationOptions({
      onSuccess: (state) => queryClient.setQueryData(options.queryKey, state),
      onError: (error) =>
        notifications.show({ color: 'madder', title: 'Not listening', message: apiErrorSentence(error) }),
    }),
  );
  const stop = useMutation(
    trpc.listeners.stop.mutationOptions({
      onMutate: () => queryClient.cancelQueries({ queryKey: options.queryKey }),
      onSuccess: () => queryClient.setQueryData(options.queryKey, { listener: null }),
    }),
  );
  const listener = data?.listener ?? undefined;
  return {
    mayListen,
    listener,
    /** When the listener ends, by the clock of this browser. */
    endsAt: listener && dataUpdatedAt + Date.parse(listener.until) - Date.parse(listener.now),
    isStarting: start.isPending,
    start: (webhookId: string) => start.mutateAsync({ params: { id: workflowId, webhookId } }),
    stop: () => stop.mutate({ params: { id: workflowId } }),
    /** Reads the state again: a call may have arrived. */
    refresh: () => void queryClient.invalidateQueries({ queryKey: options.queryKey }),
  };
}
