'use client';

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { CurrentFolderContext } from '@/components/client/current-folder';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { useIdleCallback } from '@/components/client/useIdleCallback';
import { usePermissions } from '@/components/client/usePermissions';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { RequestErrorAlert } from '@/components/ui/states/RequestErrorAlert';
import { ListSkeleton } from '@/components/ui/states/ListSkeleton';
import { ScrollingPage } from '@/components/ui/page/ScrollingPage';
import { ListPagination } from '@/components/ui/lists/ListPagination';
import { FolderCards } from './folders/FolderCards';
import { folderTrail, listSubfolders } from './folders/folder-paths';
import type { MoveToFolder } from './folders/FolderTrail';
import { useFolders } from './folders/useFolders';
import { EmptyWorkflowList } from './list/EmptyWorkflowList';
import { isFilteredState, folderPath, withoutFilters } from './list/workflow-address';
import { WorkflowListHeader } from './list/WorkflowListHeader';
import { useBulkChange } from './useBulkChange';
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

/** The workflows of a folder, or of the top level, with the folders in it. */
export function WorkflowList() {
  const router = useRouter();
  const can = usePermissions();
  const [isCreating, creating] = useDisclosure(false);
  const [isChoosing, choosing] = useDisclosure(false);
  const { query, state, asked, change } = useWorkflowSearch();
  const { rows: folders, isLoaded } = useFolders();
  const bulk = useBulkChange();
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set());
  useIdleCallback(preloadDialogs);
  const { data, error, refetch } = query;
  const chosen = data?.data.filter(({ id }) => chosenIds.has(id)) ?? [];
  const trail = folderTrail(folders, state.folderId);
  const folder = trail.at(-1);
  const isMissing = state.folderId !== null && isLoaded && !folder;
  // Until the folders are loaded, what is created belongs to the folder of the address, too.
  const currentFolderId = isMissing ? null : state.folderId;
  const isFiltered = isFilteredState(asked);
  const subfolders = isFiltered ? [] : listSubfolders(folders, state.folderId);
  const move: MoveToFolder | undefined =
    can('workflow:update') === 'none'
      ? undefined
      : (ids, folderId, place) => {
          void bulk.move(data?.data.filter(({ id }) => ids.includes(id)) ?? [], folderId, place);
          setChosenIds(new Set());
        };
  const create = (
    <PermittedButton to="workflow:create">
      <Button onClick={creating.open}>New workflow</Button>
    </PermittedButton>
  );
  return (
    <CurrentFolderContext value={currentFolderId}>
      <ScrollingPage>
        <WorkflowListHeader
          trail={trail}
          sort={state.sort}
          isMissing={isMissing}
          onCreate={creating.open}
          onTemplates={choosing.open}
          onDeleted={() => router.push(folderPath(folder?.parentId ?? null, state.sort))}
          onMove={move}
        />
        <WorkflowFilters state={state} folderName={folder?.name} onChange={change} />
        {chosen.length > 0 && <LazyWorkflowBulkActions chosen={chosen} onDone={() => setChosenIds(new Set())} />}
        {subfolders.length > 0 && <FolderCards folders={subfolders} sort={state.sort} onMove={move} />}
        {error && (
          <RequestErrorAlert title="The workflows can’t be shown" error={error} onRetry={() => void refetch()} />
        )}
        {!data && !error && <ListSkeleton rows={5} />}
        {data && data.data.length > 0 && (
          <WorkflowTable
            workflows={data.data}
            folders={isFiltered && folder === undefined ? folders : []}
            sort={state.sort}
            chosenIds={chosenIds}
            isMovable={move !== undefined}
            onSort={(sort) => change({ sort })}
            onChoose={setChosenIds}
            onTag={(tag) => change({ tag })}
          />
        )}
        {data?.total === 0 && !isMissing && (
          <EmptyWorkflowList
            folder={folder}
            isFiltered={isFiltered}
            hasFolders={subfolders.length > 0}
            create={create}
            onShowAll={() => change(withoutFilters(state))}
            onSearchAll={() => change({ folderId: null })}
          />
        )}
        <ListPagination
          query={query}
          perPage={WORKFLOWS_PER_PAGE}
          page={state.page}
          onChange={(page) => change({ page })}
        />
        {isChoosing && <TemplateChoice onClose={choosing.close} />}
        {isCreating && <CreateWorkflow onClose={creating.close} />}
      </ScrollingPage>
    </CurrentFolderContext>
  );
}
