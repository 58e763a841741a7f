'use client';

import { Button, Group, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useTRPC } from '../client/trpc';
import { EmptyState } from '../ui/EmptyState';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { SpoolArt } from '../ui/SpoolArt';
import { useNow } from '../ui/useNow';
import { BulkActions } from './BulkActions';
import { ExecutionFilters, NO_FILTERS, queryOf, type Filters } from './ExecutionFilters';
import { ExecutionTable } from './ExecutionTable';

const PER_PAGE = 25;

export function ExecutionList() {
  const trpc = useTRPC();
  const [filters, setFilters] = useState(NO_FILTERS);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useNow(60_000);
  const [page, setPage] = useState(1);
  /** Who leafs through the list sees it as it was when they began: what starts meanwhile moves nothing. */
  const [until, setUntil] = useState<string>();
  const [search] = useDebouncedValue(filters.search, 200);
  const wanted = { ...queryOf({ ...filters, search }, now), to: until };
  const { data, error, refetch } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { ...wanted, limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = Object.values(filters).some(Boolean);
  const narrow = (next: Filters) => {
    setFilters(next);
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
      <PageHeader title="Executions" summary="Every run of this workspace’s workflows, newest first." />
      <ExecutionFilters filters={filters} onChange={narrow} />
      {picked.length > 0 && <BulkActions chosen={picked} onDone={() => setChosen(new Set())} />}
      {error && <FailureNote title="The executions can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {data && data.data.length > 0 && <ExecutionTable executions={data.data} chosen={chosen} onChoose={setChosen} />}
      {data?.data.length === 0 && (
        <EmptyState
          art={<SpoolArt />}
          title={isFiltered ? 'No run fits' : 'Nothing has run yet'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={() => narrow(NO_FILTERS)}>
                Show all
              </Button>
            ) : (
              <Button component={Link} href="/workflows" variant="light">
                Choose a workflow to run
              </Button>
            )
          }
        >
          {isFiltered
            ? 'Widen the filters to see more.'
            : 'Runs show up here the moment they start, and you can follow them live.'}
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
