import { Paper, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ExecutionStats } from '@/contract/stats';
import { usePermissions } from '@/components/client/usePermissions';
import { useTRPC } from '@/components/client/trpc';
import { RunsChart, type RunStatusShare } from '@/components/ui/charts/Charts';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { runChartQuery, type RunFilters } from './filters';

const CHART_REFRESH_MS = 60_000;

const minuteFormat = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' });
const chartHourFormat = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
// Buckets of days begin at midnight in UTC.
const chartDayFormat = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const BUCKET_FORMATS = { minute: minuteFormat, hour: chartHourFormat, day: chartDayFormat };

/** What the chart draws for a status that is filtered by. Cancelled runs have the status failed. */
const PARTS_BY_STATUS: Record<string, readonly RunStatusShare[]> = {
  completed: ['completed'],
  failed: ['failed', 'cancelled'],
};
const ALL_RUN_PARTS: readonly RunStatusShare[] = ['completed', 'failed', 'cancelled'];

/** A chart of the finished runs that match the filters. Its figures need the right to read all runs. */
export function RunsOverTime({ filters, now }: { filters: RunFilters; now: number }) {
  const trpc = useTRPC();
  const isAllowed = usePermissions()('execution:read') === 'all';
  const query = runChartQuery(filters, now);
  const { data, error } = useQuery(
    trpc.stats.get.queryOptions(
      { query: query ?? {} },
      {
        enabled: isAllowed && query !== undefined,
        placeholderData: keepPreviousData,
        refetchInterval: CHART_REFRESH_MS,
      },
    ),
  );
  if (!isAllowed || !query) return null;
  if (error) return <RequestErrorAlert title="The chart can’t be shown" error={error} />;
  const parts = (filters.status && PARTS_BY_STATUS[filters.status]) || ALL_RUN_PARTS;
  return (
    <Paper withBorder p="sm" mb="md" radius="lg" component="section" aria-label="Finished runs by time" mih={142}>
      {data && (
        <>
          <Text size="sm" mb={6}>
            {finishedRunsText(data.buckets, parts)}
            {filters.within === null && (
              <Text span inherit c="dimmed">
                {' '}
                in the last 30 days
              </Text>
            )}
          </Text>
          <RunsChart
            buckets={data.buckets}
            parts={parts}
            height={56}
            labelOf={(at) => BUCKET_FORMATS[query.bucket].format(new Date(at))}
          />
        </>
      )}
    </Paper>
  );
}

function finishedRunsText(buckets: ExecutionStats['buckets'], parts: readonly RunStatusShare[]): string {
  const sum = (part: RunStatusShare) => buckets.reduce((total, bucket) => total + bucket[part], 0);
  const total = parts.reduce((all, part) => all + sum(part), 0);
  return total === 1 ? '1 finished run' : `${total.toLocaleString('en')} finished runs`;
}
