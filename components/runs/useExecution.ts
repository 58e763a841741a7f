import { useThrottledCallback } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isFinalStatus } from '@/contract/states';
import type { LiveMessage } from '@/components/client/live-channel';
import { useTRPC } from '@/components/client/trpc';
import { useLiveChannel } from '@/components/client/useLiveChannel';
import { applyRunMessage } from './live';
import { useLoadedResults, mergeLoadedResults } from './data/loaded';

const RUN_REFRESH_MS = 2000;
/** Throttle of full reads while nodes complete quickly. */
const REFETCH_THROTTLE_MS = 300;

/**
 * One execution with live updates until it is final. Events patch the cached answer; data that they don't carry
 * (inputs, errors, attempts) is refetched when the run pauses, fails or ends. Without the channel it polls.
 */
export function useExecution(id: string | undefined) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.executions.get.queryOptions({ params: { id: id ?? '' } }, { enabled: id !== undefined });
  const query = useQuery(options);
  const { data, refetch } = query;
  const loaded = useLoadedResults(id);
  const execution = useMemo(() => data && mergeLoadedResults(data, loaded), [data, loaded]);
  const isOpen = execution !== undefined && !isFinalStatus(execution.status);

  const readAgain = useThrottledCallback(() => {
    void queryClient.invalidateQueries({ queryKey: options.queryKey });
    void queryClient.invalidateQueries({ queryKey: trpc.executions.logs.queryKey({ params: { id: id ?? '' } }) });
  }, REFETCH_THROTTLE_MS);
  const receive = (message: LiveMessage) => {
    if ('workflowId' in message) return;
    queryClient.setQueryData(options.queryKey, (old) => old && applyRunMessage(old, message));
    const isWorthReading =
      message.type === 'execution_completed' ||
      (message.type === 'execution_update' && ['paused', 'failed', 'completed'].includes(message.status));
    if (isWorthReading) readAgain();
  };
  const isConnected = useLiveChannel(isOpen ? { channel: 'execution', executionId: execution.id } : undefined, receive);
  const isInterrupted = isOpen && !isConnected;
  useEffect(() => {
    if (!isInterrupted) return;
    const timer = setInterval(() => void refetch(), RUN_REFRESH_MS);
    return () => clearInterval(timer);
  }, [isInterrupted, refetch]);
  return { query, execution, isInterrupted };
}
