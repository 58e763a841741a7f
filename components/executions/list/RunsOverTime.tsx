import { Paper, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Stats } from '@/contract/stats';
import { useCan } from '@/components/client/useCan';
import { useTRPC } from '@/components/client/trpc';
import { RunsChart, type RunPart } from '@/components/ui/charts/Charts';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { chartQueryOf, type Filters } from './filters';

const LIVE_MS = 60_000;

const byMinute = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit' });
const byHour = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
// Buckets of days begin at midnight in UTC.
const byDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const FORMATS = { minute: byMinute, hour: byHour, day: byDay };

/** What the chart draws for a status that is filtered by. Cancelled runs have the status failed. */
const DRAWN: Record<string, readonly RunPart[]> = { completed: ['completed'], failed: ['failed', 'cancelled'] };
const ALL_PARTS: readonly RunPart[] = ['completed', 'failed', 'cancelled'];

/** A chart of the finished runs that match the filters. Its figures need the right to read all runs. */
export function RunsOverTime({ filters, now }: { filters: Filters; now: number }) {
  const trpc = useTRPC();
  const isAllowed = useCan()('execution:read') === 'all';
  const query = chartQueryOf(filters, now);
  const { data, error } = useQuery(
    trpc.stats.get.queryOptions(
      { query: query ?? {} },
      {
        enabled: isAllowed && query !== undefined,
        placeholderData: keepPreviousData,
        refetchInterval: LIVE_MS,
      },
    ),
  );
  if (!isAllowed || !query) return null;
  if (error) return <FailureNote title="The chart can’t be shown" error={error} />;
  const parts = (filters.status && DRAWN[filters.status]) || ALL_PARTS;
  return (
    <Paper withBorder p="sm" mb="md" radius="lg" component="section" aria-label="Finished runs by time" mih={142}>
      {data && (
        <>
          <Text size="sm" mb={6}>
            {textOf(data.buckets, parts)}
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
            labelOf={(at) => FORMATS[query.bucket].format(new Date(at))}
          />
        </>
      )}
    </Paper>
  );
}

function textOf(buckets: Stats['buckets'], parts: readonly RunPart[]): string {
  const sum = (part: RunPart) => buckets.reduce((total, bucket) => total + bucket[part], 0);
  const total = parts.reduce((all, part) => all + sum(part), 0);
  return total === 1 ? '1 finished run' : `${total.toLocaleString('en')} finished runs`;
}
