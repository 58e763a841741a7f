'use client';

import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { EmptyWorkflowsArt } from '@/components/ui/art/EmptyWorkflowsArt';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { ImportWorkflowButton } from './ImportWorkflowButton';
import { WORKFLOWS_PER_PAGE, useWorkflowSearch } from './useWorkflowSearch';
import { WorkflowFilters } from './WorkflowFilters';
import { WorkflowTable } from './WorkflowTable';

// Dialogs, preloaded when the page is idle.
const CreateWorkflow = lazyWithPreload(() => import('./CreateWorkflow').then((module) => module.CreateWorkflow));
const TemplateChoice = lazyWithPreload(() =>
  import('@/components/templates/TemplateChoice').then((module) => module.TemplateChoice),
);
const LazyWorkflowBulkActions = lazyWithPreload(() =>
  import('./WorkflowBulkActions').then((module) => module.WorkflowBulkActions),
);
const preloadDialogs = () =>
  void Promise.allSettled([CreateWorkflow.load(), TemplateChoice.load(), LazyWorkflowBulkActions.load()]);

export function WorkflowList() {
  const [isCreating, creating] = useDisclosure(false);
  const [isChoosing, choosing] = useDisclosure(false);
  const { query, filters, isFiltered, change, clear, page, setPage } = useWorkflowSearch();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  useIdleCallback(preloadDialogs);
  const { data, error, refetch } = query;
  const chosen = data?.data.filter(({ id }) => chosenIds.has(id)) ?? [];
  const create = (
    <PermittedButton to="workflow:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New workflow
      </Button>
    </PermittedButton>
  );
  return (
    <ScrollingPage>
      <PageHeader title="Workflows" summary="All workflows of this workspace.">
        <Group gap="xs">
          <ImportWorkflowButton />
          <PermittedButton to="workflow:create">
            <Button variant="default" onClick={choosing.open}>
              Templates
            </Button>
          </PermittedButton>
          {create}
        </Group>
      </PageHeader>
      <WorkflowFilters filters={filters} onChange={change} />
      {chosen.length > 0 && <LazyWorkflowBulkActions chosen={chosen} onDone={() => setChosenIds(new Set())} />}
      {error && <RequestErrorAlert title="The workflows can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={5} />}
      {data && data.data.length > 0 && (
        <WorkflowTable
          workflows={data.data}
          chosenIds={chosenIds}
          onChoose={setChosenIds}
          onTag={(tag) => change({ tag })}
        />
      )}
      {data?.data.length === 0 &&
        (isFiltered ? <NoMatchingWorkflows onShowAll={clear} /> : <NoWorkflows action={create} />)}
      <ListPagination total={data?.total} perPage={WORKFLOWS_PER_PAGE} page={page} onChange={setPage} />
      {isChoosing && <TemplateChoice onClose={choosing.close} />}
      {isCreating && <CreateWorkflow onClose={creating.close} />}
    </ScrollingPage>
  );
}

const NoMatchingWorkflows = ({ onShowAll }: { onShowAll(): void }) => (
  <EmptyState
    art={<EmptyWorkflowsArt />}
    title="No results"
    action={
      <Button variant="light" onClick={onShowAll}>
        Show all
      </Button>
    }
  >
    No workflow matches this search and these filters.
  </EmptyState>
);

const NoWorkflows = ({ action }: { action: ReactNode }) => (
  <EmptyState art={<EmptyWorkflowsArt />} title="No workflows yet" action={action}>
    A workflow is a graph of nodes. A trigger starts it, and each node passes its output on to the next.
  </EmptyState>
);
