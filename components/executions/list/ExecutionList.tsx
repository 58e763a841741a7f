'use client';

import { Button, Group, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@/components/ui/Link';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useTRPC } from '@/components/client/trpc';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { EmptyListArt } from '@/components/ui/art/EmptyListArt';
import { useNow } from '@/components/ui/values/useNow';
import { BulkActions } from './BulkActions';
import { ExecutionFilters } from './ExecutionFilters';
import { ExecutionTable } from './ExecutionTable';
import { addressOf, faultOf, filtersOf, NO_FILTERS, queryOf, type Filters } from './filters';
import { RunsOverTime } from './RunsOverTime';

const PER_PAGE = 25;

export function ExecutionList() {
  const trpc = useTRPC();
  const address = useSearchParams();
  const [filters, setFilters] = useState(() => filtersOf(new URLSearchParams(address)));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useNow(60_000);
  const [page, setPage] = useState(1);
  /** Upper bound while paging: new runs must not shift the pages. */
  const [until, setUntil] = useState<string>();
  const [search] = useDebouncedValue(filters.search, 200);
  const asked = { ...filters, search, to: faultOf(filters) ? '' : filters.to };
  const query = queryOf(asked, now);
  const wanted = { ...query, to: until ?? query.to };
  const { data, error, refetch } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { ...wanted, limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = Object.values(filters).some(Boolean);
  const narrow = (next: Filters) => {
    setFilters(next);
    // The address can be shared and reloaded. No entry of the history for each key: “back” leaves the page.
    const text = addressOf(next);
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
    <Page>
      <PageHeader title="Runs" summary="All workflow runs of this workspace, newest first." />
      <ExecutionFilters filters={filters} onChange={narrow} />
      <RunsOverTime filters={asked} now={now} />
      {picked.length > 0 && <BulkActions chosen={picked} onDone={() => setChosen(new Set())} />}
      {error && <FailureNote title="The runs can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {data && data.data.length > 0 && <ExecutionTable executions={data.data} chosen={chosen} onChoose={setChosen} />}
      {data?.data.length === 0 && (
        <EmptyState
          art={<EmptyListArt />}
          title={isFiltered ? 'No results' : 'No runs yet'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={() => narrow(NO_FILTERS)}>
                Show all
              </Button>
            ) : (
              <Button component={Link} href="/workflows" variant="light">
                Go to workflows
              </Button>
            )
          }
        >
          {isFiltered ? 'No run matches these filters.' : 'Runs appear here when they start. You can watch them live.'}
        </EmptyState>
      )}
      {data && data.total > PER_PAGE && (
        <Group justify="center" mt="lg">
          <Pagination
            total={Math.ceil(data.total / PER_PAGE)}
            value={page}
            onChange={goTo}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </Page>
  );
}
