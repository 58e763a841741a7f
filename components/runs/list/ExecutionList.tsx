'use client';

import { Button, Group, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AppLink } from '@/components/ui/AppLink';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useTRPC } from '@/components/client/trpc';
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
  runListQuery,
  type RunFilters,
} from './filters';
import { RunsOverTime } from './RunsOverTime';

const RUNS_PER_PAGE = 25;

export function ExecutionList() {
  const trpc = useTRPC();
  const address = useSearchParams();
  const [filters, setFilters] = useState(() => parseRunFilters(new URLSearchParams(address)));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useCurrentTime(60_000);
  const [page, setPage] = useState(1);
  /** Upper bound while paging: new runs must not shift the pages. */
  const [until, setUntil] = useState<string>();
  const [search] = useDebouncedValue(filters.search, 200);
  const asked = { ...filters, search, to: timeBoundsError(filters) ? '' : filters.to };
  const query = runListQuery(asked, now);
  const wanted = { ...query, to: until ?? query.to };
  const { data, error, refetch } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { ...wanted, limit: String(RUNS_PER_PAGE), offset: String((page - 1) * RUNS_PER_PAGE) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = Object.values(filters).some(Boolean);
  const narrow = (next: RunFilters) => {
    setFilters(next);
    // The address can be shared and reloaded. It is replaced, so that “back” leaves the page instead of undoing each
    // key.
    const text = encodeRunFilters(next);
    window.history.replaceState(null, '', text === '' ? window.location.pathname : `?${text}`);
    goTo(1);
  };
  const goTo = (next: number) => {
    setUntil(next === 1 ? undefined : (until ?? data?.data[0]?.createdAt));
    setPage(next);
    setChosen(new Set());
  };
  const picked = data?.data.filter(({ id }) => chosen.has(id)) ?? [];
  return (
    <ScrollingPage>
      <PageHeader title="Runs" summary="All workflow runs of this workspace, newest first." />
      <ExecutionFilters filters={filters} onChange={narrow} />
      <RunsOverTime filters={asked} now={now} />
      {picked.length > 0 && <BulkActions chosen={picked} onDone={() => setChosen(new Set())} />}
      {error && <RequestErrorAlert title="The runs can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {data && data.data.length > 0 && <ExecutionTable executions={data.data} chosen={chosen} onChoose={setChosen} />}
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
      {data && data.total > RUNS_PER_PAGE && (
        <Group justify="center" mt="lg">
          <Pagination
            total={Math.ceil(data.total / RUNS_PER_PAGE)}
            value={page}
            onChange={goTo}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </ScrollingPage>
  );
}
