import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { MS_PER_HOUR } from '@/contract/units';

const COUNT_REFRESH_MS = 60_000;

/** How many runs failed since this hour of yesterday, cancelled and partial ones not counted; nothing if none did. */
export function FailureCount() {
  const trpc = useTRPC();
  const hour = Math.floor(useCurrentTime(COUNT_REFRESH_MS) / MS_PER_HOUR);
  const from = new Date((hour - 24) * MS_PER_HOUR).toISOString();
  const query = { status: 'failed', cancelled: 'false', partial: 'false', from, limit: '1' } as const;
  const { data } = useQuery(trpc.executions.list.queryOptions({ query }, { refetchInterval: COUNT_REFRESH_MS }));
  const count = data?.total ?? 0;
  if (count === 0) return null;
  const text = count > 999 ? '999+' : String(count);
  return (
    <Badge
      size="sm"
      color="madder"
      variant="light"
      ml="auto"
      title={`${count} failed runs in 24 hours`}
      aria-label={`${count} failed runs in 24 hours`}
    >
      {text}
    </Badge>
  );
}
