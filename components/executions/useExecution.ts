import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ServerMessage } from '@/contract/channel';
import { isFinal, type Execution } from '@/contract/execution';
import { useTRPC } from '../client/trpc';
import { useChannel } from '../client/useChannel';
import { applyMessage } from './live';

/**
 * One execution, live until it is final. Events change the cached answer at once; what they don't carry (inputs,
 * errors, attempts) is read anew when the run pauses, fails or ends. Without the channel it is polled.
 */
export function useExecution(id: string | undefined) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const options = trpc.executions.get.queryOptions({ params: { id: id ?? '' } }, { enabled: id !== undefined });
  const query = useQuery({ ...options, refetchInterval: () => (isOpen && !isConnected ? 2000 : false) });
  const isOpen = query.data !== undefined && !isFinal(query.data.status);

  const receive = (message: ServerMessage) => {
    queryClient.setQueryData(options.queryKey, (old: Execution | undefined) => old && applyMessage(old, message));
    const isWorthReading =
      message.type === 'execution_completed' ||
      (message.type === 'execution_update' && ['paused', 'failed', 'completed'].includes(message.status));
    if (isWorthReading) void queryClient.invalidateQueries({ queryKey: options.queryKey });
  };
  const isConnected = useChannel(isOpen ? id : undefined, receive);
  return { query, execution: query.data, isLive: isOpen && isConnected, isInterrupted: isOpen && !isConnected };
}
