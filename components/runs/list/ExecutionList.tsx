'use client';

import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useTRPC } from '@/components/client/trpc';
import { useAddressState } from '@/components/client/useAddressState';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { useCurrentTime } from '@/components/ui/values/useCurrentTime';
import { BulkActions } from './BulkActions';
import { ExecutionFilters } from './ExecutionFilters';
import { ExecutionTable } from './ExecutionTable';
import {
  encodeRunFilters,
  timeBoundsError,
  parseRunFilters,
  EMPTY_RUN_FILTERS,
  hasRunFilters,
  runListQuery,
  type RunFilters,
} from './filters';
import { countRuns, groupRuns } from './run-groups';
import { RunsOverTime } from './RunsOverTime';

const ROWS_PER_PAGE = 25;
/** Read where rows are groups of runs. */
const MAX_READ_RUNS = 100;

const RUN_LIST_ADDRESS = { parse: parseRunFilters, encode: encodeRunFilters };

export function ExecutionList() {
  const trpc = useTRPC();
  const [filters, setFilters] = useAddressState(RUN_LIST_ADDRESS);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useCurrentTime(60_000);
  /** How many runs are on the pages before this one, for each page up to this one. */
  const [offsets, setOffsets] = useState<readonly number[]>([0]);
  const offset = offsets.at(-1) ?? 0;
  /** Upper bound while paging: new runs must not shift the pages. */
  const [until, setUntil] = useState<string>();
  const [isReadingMore, setReadingMore] = useState(false);
  const [search] = useDebouncedValue(filters.search, 200);
  const asked = { ...filters, search, to: timeBoundsError(filters) ? '' : filters.to };
  const query = runListQuery(asked, now);
  const wanted = { ...query, to: until ?? query.to };
  const limit = isReadingMore ? MAX_READ_RUNS : ROWS_PER_PAGE;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { ...wanted, limit: String(limit), offset: String(offset) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const rows = groupRuns(data?.data ?? []).slice(0, ROWS_PER_PAGE);
  const shown = countRuns(rows);
  const isShort =
    !isPlaceholderData && rows.length < ROWS_PER_PAGE && data !== undefined && offset + data.data.length < data.total;
  // Groups leave room for more rows.
  if (isShort && !isReadingMore) setReadingMore(true);
  const isFiltered = hasRunFilters(filters);
  const goTo = (next: readonly number[]) => {
    const isFirst = next.length === 1;
    setUntil(isFirst || filters.sort !== EMPTY_RUN_FILTERS.sort ? undefined : (until ?? data?.data[0]?.createdAt));
    setOffsets(next);
    setChosen(new Set());
  };
  const narrow = (next: RunFilters) => {
    setFilters(next);
    goTo([0]);
  };
  const picked = data?.data.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <ScrollingPage>
      <PageHeader title="Runs" summary="All workflow runs of this workspace." />
      <ExecutionFilters filters={filters} onChange={narrow} />
      <RunsOverTime filters={asked} now={now} />
      {picked.length > 0 && <BulkActions chosen={picked} onDone={() => setChosen(new Set())} />}
      {error && <RequestErrorAlert title="The runs can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {rows.length > 0 && (
        <ExecutionTable
          rows={rows}
          chosen={chosen}
          sort={filters.sort}
          onSort={(sort) => narrow({ ...filters, sort })}
          onChoose={setChosen}
        />
      )}
      {data?.data.length === 0 && (
        <EmptyState
          art={<EmptyListArt />}
          title={isFiltered ? 'No results' : 'No runs yet'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={() => narrow(EMPTY_RUN_FILTERS)}>
                Show all
              </Button>
            ) : (
              <Button component={AppLink} href="/workflows" variant="light">
                Go to workflows
              </Button>
            )
          }
        >
          {isFiltered ? 'No run matches these filters.' : 'Runs appear here when they start. You can watch them live.'}
        </EmptyState>
      )}
      {data && (offset > 0 || shown < data.total) && (
        <Group component="nav" aria-label="Pages" justify="center" mt="lg" gap="md">
          <Button variant="default" disabled={offset === 0} onClick={() => goTo(offsets.slice(0, -1))}>
            Previous page
          </Button>
          <Text size="sm" c="dimmed">
            {(offset + 1).toLocaleString()}–{(offset + shown).toLocaleString()} of {data.total.toLocaleString()} runs
          </Text>
          <Button
            variant="default"
            // Where it begins follows from this page, which may still be loading.
            disabled={isPlaceholderData || offset + shown >= data.total}
            onClick={() => goTo([...offsets, offset + shown])}
          >
            Next page
          </Button>
        </Group>
      )}
    </ScrollingPage>
  );
}
