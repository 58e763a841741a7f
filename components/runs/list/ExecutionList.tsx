'use client';

import { Button, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';
import { useAddressState } from '@/components/client/useAddressState';
import { useDelayedSearch } from '@/components/client/useDelayedSearch';
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
} from './filters';
import { countRuns, groupRuns } from './run-groups';
import { useRunPages } from './useRunPages';
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
  const { offset, until, goToPrevious, goToNext } = useRunPages(encodeRunFilters(filters));
  const [isReadingMore, setReadingMore] = useState(false);
  const delayed = useDelayedSearch(filters);
  const asked = { ...delayed, to: timeBoundsError(filters) ? '' : filters.to };
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
  const bound = filters.sort === EMPTY_RUN_FILTERS.sort ? data?.data[0]?.createdAt : undefined;
  const picked = data?.data.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <ScrollingPage>
      <PageHeader title="Runs" summary="All workflow runs of this workspace." />
      <ExecutionFilters filters={filters} onChange={setFilters} />
      <RunsOverTime filters={asked} now={now} />
      {picked.length > 0 && <BulkActions chosen={picked} onDone={() => setChosen(new Set())} />}
      {error && <RequestErrorAlert title="The runs can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {rows.length > 0 && (
        <ExecutionTable
          rows={rows}
          chosen={chosen}
          sort={filters.sort}
          onSort={(sort) => setFilters({ ...filters, sort })}
          onChoose={setChosen}
        />
      )}
      {data?.data.length === 0 && (
        <EmptyState
          art={<EmptyListArt />}
          title={isFiltered ? 'No results' : 'No runs yet'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={() => setFilters(EMPTY_RUN_FILTERS)}>
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
          <Button variant="default" disabled={offset === 0} onClick={goToPrevious}>
            Previous page
          </Button>
          <Text size="sm" c="dimmed">
            {(offset + 1).toLocaleString()}–{(offset + shown).toLocaleString()} of {data.total.toLocaleString()} runs
          </Text>
          <Button
            variant="default"
            // Where it begins follows from this page, which may still be loading.
            disabled={isPlaceholderData || offset + shown >= data.total}
            onClick={() => goToNext(offset + shown, bound)}
          >
            Next page
          </Button>
        </Group>
      )}
    </ScrollingPage>
  );
}
