import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isFinalStatus } from '@/contract/states';
import { useTRPC } from '@/components/client/trpc';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import type { LiveRun } from '../live';
import { readableLogLines } from './log-line';
import classes from './LogList.module.css';

/** Logs of a run or of one node, oldest first. Refreshes while the run is in progress. */
export function LogList({ execution, nodeId }: { execution: LiveRun; nodeId?: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.executions.logs.queryOptions(
      { params: { id: execution.id }, query: nodeId === undefined ? {} : { nodeId } },
      { refetchInterval: isFinalStatus(execution.status) ? false : 1500 },
    ),
  );
  if (error) return <RequestErrorAlert title="The logs can’t be shown" error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <Stack gap={8}>
        {[1, 2, 3].map((line) => (
          <Skeleton key={line} h={18} />
        ))}
      </Stack>
    );
  if (data.logs.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No log entries.
      </Text>
    );
  const lines = readableLogLines(data.logs);
  return (
    <ol className={classes.logs}>
      {data.logs.map((entry, index) => (
        <li key={index} data-level={entry.level}>
          <time dateTime={entry.timestamp}>{new Date(entry.timestamp).toLocaleTimeString()}</time>
          {entry.level !== 'info' && <b>{entry.level}</b>}
          <span>
            {nodeId === undefined && lines[index]?.node !== undefined && (
              <em title={entry.nodeId}>{lines[index].node}: </em>
            )}
            {lines[index]?.text}
          </span>
        </li>
      ))}
    </ol>
  );
}
