'use client';

import { Button, FileButton, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useIdle } from '@/components/client/useIdle';
import { Permitted } from '@/components/ui/Permitted';
import { EmptyState } from '@/components/ui/states/EmptyState';
import { FailureNote } from '@/components/ui/states/FailureNote';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { EmptyWorkflowsArt } from '@/components/ui/art/EmptyWorkflowsArt';
import { Page } from '@/components/ui/page/Page';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { Pages } from '@/components/ui/lists/Pages';
import { ImportPreview } from './ImportPreview';
import { useImport } from './useImport';
import { PER_PAGE, useWorkflowSearch } from './useWorkflowSearch';
import { WorkflowFilters } from './WorkflowFilters';
import { WorkflowTable } from './WorkflowTable';

// Dialogs, preloaded when the page is idle.
const CreateWorkflow = lazyWithPreload(() => import('./CreateWorkflow').then((module) => module.CreateWorkflow));
const TemplateChoice = lazyWithPreload(() =>
  import('@/components/templates/TemplateChoice').then((module) => module.TemplateChoice),
);
const WorkflowBulk = lazyWithPreload(() => import('./WorkflowBulk').then((module) => module.WorkflowBulk));
const loadDialogs = () => void Promise.allSettled([CreateWorkflow.load(), TemplateChoice.load(), WorkflowBulk.load()]);

export function WorkflowList() {
  const [isCreating, creating] = useDisclosure(false);
  const [isChoosing, choosing] = useDisclosure(false);
  const { query, filters, isFiltered, change, clear, page, setPage } = useWorkflowSearch();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  useIdle(loadDialogs);
  const { data, error, refetch } = query;
  const chosen = data?.data.filter(({ id }) => chosenIds.has(id)) ?? [];
  const create = (
    <Permitted to="workflow:create">
      <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={creating.open}>
        New workflow
      </Button>
    </Permitted>
  );
  return (
    <Page>
      <PageHeader title="Workflows" summary="All workflows of this workspace.">
        <Group gap="xs">
          <ImportButton />
          <Permitted to="workflow:create">
            <Button variant="default" onClick={choosing.open}>
              Templates
            </Button>
          </Permitted>
          {create}
        </Group>
      </PageHeader>
      <WorkflowFilters filters={filters} onChange={change} />
      {chosen.length > 0 && <WorkflowBulk chosen={chosen} onDone={() => setChosenIds(new Set())} />}
      {error && <FailureNote title="The workflows can’t be shown" error={error} onRetry={() => void refetch()} />}
      {!data && !error && <ListSkeleton rows={5} />}
      {data && data.data.length > 0 && (
        <WorkflowTable
          workflows={data.data}
          chosenIds={chosenIds}
          onChoose={setChosenIds}
          onTag={(tag) => change({ tag })}
        />
      )}
      {data?.data.length === 0 && (isFiltered ? <NoResults onShowAll={clear} /> : <NoWorkflows action={create} />)}
      <Pages total={data?.total} perPage={PER_PAGE} page={page} onChange={setPage} />
      {isChoosing && <TemplateChoice onClose={choosing.close} />}
      {isCreating && <CreateWorkflow onClose={creating.close} />}
    </Page>
  );
}

const NoResults = ({ onShowAll }: { onShowAll(): void }) => (
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

function ImportButton() {
  const imports = useImport();
  const reset = useRef<() => void>(null);
  const choose = (file: File | null) => {
    // Otherwise the same file could not be chosen again.
    reset.current?.();
    void imports.open(file ?? undefined);
  };
  return (
    <>
      <FileButton accept="application/json,.json" resetRef={reset} onChange={choose}>
        {(props) => (
          <Permitted to="workflow:create">
            <Button variant="default" loading={imports.isBusy} {...props}>
              Import
            </Button>
          </Permitted>
        )}
      </FileButton>
      <ImportPreview imports={imports} />
    </>
  );
}
