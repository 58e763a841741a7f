import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ServerMessage } from '@/contract/channel';
import { isFinal } from '@/contract/execution';
import { useTRPC } from '../client/trpc';
import { useChannel } from '../client/useChannel';
import { applyMessage } from './live';

const POLL_MS = 2000;

/**
 * One execution, live until it is final. Events change the cached answer at once; what they don't carry (inputs,
 * errors, attempts) is read anew when the run pauses, fails or ends. Without the channel it is polled.
 */
export function useExecution(id: string | undefined) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.executions.get.queryOptions({ params: { id: id ?? '' } }, { enabled: id !== undefined });
  const query = useQuery(options);
  const { data: execution, refetch } = query;
  const isOpen = execution !== undefined && !isFinal(execution.status);

  const receive = (message: ServerMessage) => {
    queryClient.setQueryData(options.queryKey, (old) => old && applyMessage(old, message));
    const isWorthReading =
      message.type === 'execution_completed' ||
      (message.type === 'execution_update' && ['paused', 'failed', 'completed'].includes(message.status));
    if (isWorthReading) void queryClient.invalidateQueries({ queryKey: options.queryKey });
  };
  const isConnected = useChannel(isOpen ? id : undefined, receive);
  const isInterrupted = isOpen && !isConnected;
  useEffect(() => {
    if (!isInterrupted) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [isInterrupted, refetch]);
  return { query, execution, isInterrupted };
}
