'use client';

import { Button, FileButton, Group, Pagination, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { WORKFLOW_STATUSES } from '@/contract/states';
import { later } from '../client/later';
import { useTRPC } from '../client/trpc';
import { useIdle } from '../client/useIdle';
import { Permitted } from '../shell/Permitted';
import { EmptyState } from '../ui/EmptyState';
import { FailureNote } from '../ui/FailureNote';
import { ListSkeleton } from '../ui/ListSkeleton';
import { LoomArt } from '../ui/LoomArt';
import { Page } from '../ui/Page';
import { PageHeader } from '../ui/PageHeader';
import { WORKFLOW_LOOK } from '../ui/status';
import { useCreate } from './useCreate';
import { useImport } from './useImport';
import { WorkflowTable } from './WorkflowTable';

// Opened by a button; fetched when the list is there.
const CreateWorkflow = later(() => import('./CreateWorkflow').then((part) => part.CreateWorkflow));
const TemplateChoice = later(() => import('./TemplateChoice').then((part) => part.TemplateChoice));
const loadDialogs = () => void Promise.allSettled([CreateWorkflow.load(), TemplateChoice.load()]);

const PER_PAGE = 25;
/** Runs come and go while the list is looked at. */
const LIVE_MS = 15_000;
const ANY = 'any';
const STATUSES = [
  { value: ANY, label: 'All' },
  ...WORKFLOW_STATUSES.map((value) => ({ value, label: WORKFLOW_LOOK[value].label })),
];

export function WorkflowList() {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const [status, setStatus] = useState(ANY);
  const [page, setPage] = useState(1);
  const [isCreating, creating] = useDisclosure(false);
  const [isChoosing, setChoosing] = useState(false);
  useIdle(loadDialogs);
  const imports = useImport();
  const fromTemplate = useCreate();
  const { data, error, refetch } = useQuery(
    trpc.workflows.list.queryOptions(
      {
        query: {
          search: wanted || undefined,
          status: WORKFLOW_STATUSES.find((wantedStatus) => wantedStatus === status),
          limit: String(PER_PAGE),
          offset: String((page - 1) * PER_PAGE),
        },
      },
      { placeholderData: keepPreviousData, refetchInterval: LIVE_MS },
    ),
  );
  const isFiltered = wanted !== '' || status !== ANY;
  const showAll = () => {
    setSearch('');
    setStatus(ANY);
    setPage(1);
  };
  const create = (
    <Permitted to="workflow:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New workflow
      </Button>
    </Permitted>
  );
  return (
    <Page>
      <PageHeader title="Workflows" summary="What this workspace has woven so far.">
        <Group gap="xs">
          <FileButton accept="application/json,.json" onChange={(file) => void imports.open(file ?? undefined)}>
            {(props) => (
              <Permitted to="workflow:create">
                <Button variant="default" loading={imports.isBusy} {...props}>
                  Import
                </Button>
              </Permitted>
            )}
          </FileButton>
          <Permitted to="workflow:create">
            <Button variant="default" onClick={() => setChoosing(true)}>
              Templates
            </Button>
          </Permitted>
          {create}
        </Group>
      </PageHeader>
      <Group mb="md" gap="sm">
        <TextInput
          type="search"
          aria-label="Search workflows"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={search}
          flex={1}
          miw={200}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setPage(1);
          }}
        />
        <SegmentedControl
          aria-label="Status"
          data={STATUSES}
          value={status}
          onChange={(value) => {
            setStatus(value);
            setPage(1);
          }}
        />
      </Group>
      {error && <FailureNote title="The workflows can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={5} />}
      {data && data.data.length > 0 && <WorkflowTable workflows={data.data} />}
      {data?.data.length === 0 && (
        <EmptyState
          art={<LoomArt />}
          title={isFiltered ? 'Nothing fits' : 'An empty loom'}
          action={
            isFiltered ? (
              <Button variant="light" onClick={showAll}>
                Show all
              </Button>
            ) : (
              create
            )
          }
        >
          {isFiltered
            ? 'No workflow has this name and status.'
            : 'A workflow is a chain of steps: something starts it, and each step passes its result on to the next.'}
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
      {isChoosing && (
        <TemplateChoice
          isBusy={fromTemplate.isPending}
          onPick={(template) => fromTemplate.mutate({ body: template })}
          onClose={() => setChoosing(false)}
        />
      )}
      {isCreating && <CreateWorkflow onClose={creating.close} />}
    </Page>
  );
}
