'use client';

import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { PageSection } from '@/components/ui/page/PageSection';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { formatDuration } from '@/components/ui/values/time-format';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { DurationChart, RunsChart } from '@/components/ui/charts/Charts';
import classes from '@/components/ui/charts/Charts.module.css';
import { sumRunTotals } from './figures';
import { WorkflowFigures } from './WorkflowFigures';
import { MS_PER_HOUR } from '@/contract/units';

const DASHBOARD_REFRESH_MS = 60_000;

const DASHBOARD_RANGES = {
  day: { label: '24 hours', hours: 24, bucket: 'hour' },
  week: { label: '7 days', hours: 7 * 24, bucket: 'hour' },
  month: { label: '30 days', hours: 30 * 24, bucket: 'day' },
  year: { label: '1 year', hours: 365 * 24, bucket: 'day' },
} as const;
type DashboardRange = keyof typeof DASHBOARD_RANGES;

const hourFormat = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
// Buckets of days begin at midnight in UTC.
const utcDayFormat = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const percentFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Figures of the workspace's runs. */
export function Dashboard() {
  const trpc = useTRPC();
  const [range, setRange] = useState<DashboardRange>('day');
  const now = useCurrentTime(DASHBOARD_REFRESH_MS);
  const { hours, bucket } = DASHBOARD_RANGES[range];
  // The range ends with the current hour, so that the query changes only once an hour.
  const to = Math.ceil((now + 1) / MS_PER_HOUR) * MS_PER_HOUR;
  const query = {
    from: new Date(to - hours * MS_PER_HOUR).toISOString(),
    to: new Date(to).toISOString(),
    bucket,
    partial: 'false' as const,
  };
  const { data, error, refetch } = useQuery(
    trpc.stats.get.queryOptions(
      { query },
      { placeholderData: keepPreviousData, refetchInterval: DASHBOARD_REFRESH_MS },
    ),
  );
  const format = bucket === 'hour' ? hourFormat : utcDayFormat;
  const labelOf = (at: string) => format.format(new Date(at));
  return (
    <ScrollingPage>
      <PageHeader
        title="Dashboard"
        summary="Finished runs of whole workflows, by the time at which they were accepted."
      >
        <SegmentedControl
          aria-label="Range"
          data={Object.entries(DASHBOARD_RANGES).map(([value, { label }]) => ({ value, label }))}
          value={range}
          onChange={(value) => setRange(value as DashboardRange)}
        />
      </PageHeader>
      {error && <RequestErrorAlert title="The figures can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={5} />}
      {data && (
        <Stack gap="md">
          <RunTotals buckets={data.buckets} />
          <div className={classes.charts}>
            <PageSection title="Runs">
              <RunsChart buckets={data.buckets} labelOf={labelOf} />
            </PageSection>
            <PageSection title="Durations" summary="Of runs that are done.">
              <DurationChart buckets={data.buckets} labelOf={labelOf} />
            </PageSection>
          </div>
          {data.workflows.length > 0 ? (
            <WorkflowFigures workflows={data.workflows} />
          ) : (
            <EmptyState art={<EmptyListArt />} title="No runs in this time">
              The figures of workflows appear here when runs have finished.
            </EmptyState>
          )}
        </Stack>
      )}
    </ScrollingPage>
  );
}

function RunTotals({ buckets }: { buckets: Parameters<typeof sumRunTotals>[0] }) {
  const { completed, failed, cancelled, successRate } = sumRunTotals(buckets);
  const slowest = Math.max(0, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  const figures = [
    { label: 'Done', value: completed.toLocaleString('en') },
    { label: 'Failed', value: failed.toLocaleString('en'), color: failed > 0 ? 'var(--weft-failed)' : undefined },
    { label: 'Cancelled', value: cancelled.toLocaleString('en') },
    { label: 'Success rate', value: successRate === null ? '–' : percentFormat.format(successRate) },
    { label: '95 % of runs within', value: slowest === 0 ? '–' : formatDuration(slowest) },
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 3, md: 5 }} m={0}>
      {figures.map(({ label, value, color }) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" fz={24} fw={620} c={color} m={0} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
