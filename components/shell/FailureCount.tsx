import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';
import { useNow } from '@/components/ui/values/useNow';

const HOUR_MS = 3_600_000;
const LIVE_MS = 60_000;

/** How many runs failed since this hour of yesterday, cancelled and partial ones not counted; nothing if none did. */
export function FailureCount() {
  const trpc = useTRPC();
  const hour = Math.floor(useNow(LIVE_MS) / HOUR_MS);
  const from = new Date((hour - 24) * HOUR_MS).toISOString();
  const query = { status: 'failed', cancelled: 'false', partial: 'false', from, limit: '1' } as const;
  const { data } = useQuery(trpc.executions.list.queryOptions({ query }, { refetchInterval: LIVE_MS }));
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
