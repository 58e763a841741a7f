'use client';

import { Button, Group, Pagination } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '../client/trpc';
import { EmptyState } from '../ui/EmptyState';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { SpoolArt } from '../ui/SpoolArt';
import { useNow } from '../ui/useNow';
import { BulkCancel } from './BulkCancel';
import { ExecutionFilters, NO_FILTERS, queryOf, type Filters } from './ExecutionFilters';
import { ExecutionTable } from './ExecutionTable';

const PER_PAGE = 25;

export function ExecutionList() {
  const trpc = useTRPC();
  const [filters, setFilters] = useState(NO_FILTERS);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const now = useNow(60_000);
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { ...queryOf(filters, now), limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = Object.values(filters).some((value) => value !== null);
  const narrow = (next: Filters) => {
    setFilters(next);
    setPage(1);
    setChosen(new Set());
  };
  return (
    <Page>
      <PageHeader title="Executions" summary="Every run of this workspace’s workflows, newest first." />
      <ExecutionFilters filters={filters} onChange={narrow} />
      {chosen.size > 0 && <BulkCancel ids={[...chosen]} onDone={() => setChosen(new Set())} />}
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
            onChange={setPage}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          />
        </Group>
      )}
    </Page>
  );
}
