'use client';

import { SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Section } from '@/components/ui/page/Section';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { duration } from '@/components/ui/values/time';
import { useNow } from '@/components/ui/values/useNow';
import { DurationChart, RunsChart } from '@/components/ui/charts/Charts';
import classes from '@/components/ui/charts/Charts.module.css';
import { totalsOf } from './figures';
import { WorkflowFigures } from './WorkflowFigures';

const HOUR_MS = 3_600_000;
const LIVE_MS = 60_000;

const RANGES = {
  day: { label: '24 hours', hours: 24, bucket: 'hour' },
  week: { label: '7 days', hours: 7 * 24, bucket: 'hour' },
  month: { label: '30 days', hours: 30 * 24, bucket: 'day' },
  year: { label: '1 year', hours: 365 * 24, bucket: 'day' },
} as const;
type Range = keyof typeof RANGES;

const byHour = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
// Buckets of days begin at midnight in UTC.
const byDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Figures of the workspace's runs. */
export function Dashboard() {
  const trpc = useTRPC();
  const [range, setRange] = useState<Range>('day');
  const now = useNow(LIVE_MS);
  const { hours, bucket } = RANGES[range];
  // The end of the hour under way, so that the address of the query changes once an hour.
  const to = Math.ceil((now + 1) / HOUR_MS) * HOUR_MS;
  const query = {
    from: new Date(to - hours * HOUR_MS).toISOString(),
    to: new Date(to).toISOString(),
    bucket,
    partial: 'false' as const,
  };
  const { data, error, refetch } = useQuery(
    trpc.stats.get.queryOptions({ query }, { placeholderData: keepPreviousData, refetchInterval: LIVE_MS }),
  );
  const format = bucket === 'hour' ? byHour : byDay;
  const labelOf = (at: string) => format.format(new Date(at));
  return (
    <Page>
      <PageHeader
        title="Dashboard"
        summary="Finished runs of whole workflows, by the time at which they were accepted."
      >
        <SegmentedControl
          aria-label="Range"
          data={Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))}
          value={range}
          onChange={(value) => setRange(value as Range)}
        />
      </PageHeader>
      {error && <FailureNote title="The figures can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={5} />}
      {data && (
        <Stack gap="md">
          <Totals buckets={data.buckets} />
          <div className={classes.charts}>
            <Section title="Runs">
              <RunsChart buckets={data.buckets} labelOf={labelOf} />
            </Section>
            <Section title="Durations" summary="Of runs that are done.">
              <DurationChart buckets={data.buckets} labelOf={labelOf} />
            </Section>
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
    </Page>
  );
}

function Totals({ buckets }: { buckets: Parameters<typeof totalsOf>[0] }) {
  const { completed, failed, cancelled, successRate } = totalsOf(buckets);
  const slowest = Math.max(0, ...buckets.map(({ p95Ms }) => p95Ms ?? 0));
  const figures = [
    { label: 'Done', value: completed.toLocaleString('en') },
    { label: 'Failed', value: failed.toLocaleString('en'), color: failed > 0 ? 'var(--weft-failed)' : undefined },
    { label: 'Cancelled', value: cancelled.toLocaleString('en') },
    { label: 'Success rate', value: successRate === null ? '–' : percent.format(successRate) },
    { label: 'Slowest 95th percentile', value: slowest === 0 ? '–' : duration(slowest) },
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
