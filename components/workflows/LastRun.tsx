import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '../client/trpc';
import { RUN_LOOK } from '../ui/status';
import { StatusBadge } from '../ui/StatusBadge';

const LIVE_MS = 15_000;

/** How the newest run of a workflow went. */
export function LastRun({ workflowId }: { workflowId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.executions.list.queryOptions({ query: { workflowId, limit: '1' } }, { refetchInterval: LIVE_MS }),
  );
  const [run] = data?.data ?? [];
  if (!run)
    return (
      <Text size="sm" c="dimmed">
        {data ? 'Never' : ''}
      </Text>
    );
  return (
    <Link href={`/executions/${run.id}`} aria-label={`Last run: ${RUN_LOOK[run.status].label}`}>
      <StatusBadge look={RUN_LOOK[run.status]} size="sm" />
    </Link>
  );
}
