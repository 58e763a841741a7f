import { useThrottledCallback } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isFinal } from '@/contract/states';
import type { Message } from '@/components/client/channel';
import { useTRPC } from '@/components/client/trpc';
import { useChannel } from '@/components/client/useChannel';
import { applyMessage } from './live';
import { useLoaded, withLoaded } from './data/loaded';

const POLL_MS = 2000;
/** Throttle of full reads while nodes complete quickly. */
const READ_MS = 300;

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
  const loaded = useLoaded(id);
  const execution = useMemo(() => data && withLoaded(data, loaded), [data, loaded]);
  const isOpen = execution !== undefined && !isFinal(execution.status);

  const readAgain = useThrottledCallback(() => {
    void queryClient.invalidateQueries({ queryKey: options.queryKey });
    void queryClient.invalidateQueries({ queryKey: trpc.executions.logs.queryKey({ params: { id: id ?? '' } }) });
  }, READ_MS);
  const receive = (message: Message) => {
    if ('workflowId' in message) return;
    queryClient.setQueryData(options.queryKey, (old) => old && applyMessage(old, message));
    const isWorthReading =
      message.type === 'execution_completed' ||
      (message.type === 'execution_update' && ['paused', 'failed', 'completed'].includes(message.status));
    if (isWorthReading) readAgain();
  };
  const isConnected = useChannel(isOpen ? { channel: 'execution', executionId: execution.id } : undefined, receive);
  const isInterrupted = isOpen && !isConnected;
  useEffect(() => {
    if (!isInterrupted) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [isInterrupted, refetch]);
  return { query, execution, isInterrupted };
}
