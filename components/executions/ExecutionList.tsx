'use client';

import { Button, Group, Pagination, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { ExecutionStatus } from '@/contract/execution';
import { useTRPC } from '../client/trpc';
import { EmptyState } from '../ui/EmptyState';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { SpoolArt } from '../ui/SpoolArt';
import { RUN_LOOK } from '../ui/status';
import { ExecutionTable } from './ExecutionTable';

const PER_PAGE = 25;
const STATUSES = ExecutionStatus.options.map((value) => ({ value, label: RUN_LOOK[value].label }));

export function ExecutionList() {
  const trpc = useTRPC();
  const [status, setStatus] = useState<ExecutionStatus | null>(null);
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery(
    trpc.executions.list.queryOptions(
      { query: { status: status ?? undefined, limit: String(PER_PAGE), offset: String((page - 1) * PER_PAGE) } },
      { refetchInterval: 5000, placeholderData: keepPreviousData },
    ),
  );
  const isFiltered = status !== null;
  return (
    <Page>
      <PageHeader title="Executions" summary="Every run of this workspace’s workflows, newest first.">
        <Select
          aria-label="Status"
          placeholder="Any status"
          data={STATUSES}
          value={status}
          clearable
          w={160}
          onChange={(value) => {
            setStatus(value as ExecutionStatus | null);
            setPage(1);
          }}
        />
      </PageHeader>
      {error && <FailureNote title="The executions can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={8} />}
      {data && data.data.length > 0 && <ExecutionTable executions={data.data} />}
      {data?.data.length === 0 && (
        <EmptyState
          art={<SpoolArt />}
          title={isFiltered ? 'No run is in this state' : 'Nothing has run yet'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={() => setStatus(null)}>
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
            ? 'Choose another status to see more.'
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
