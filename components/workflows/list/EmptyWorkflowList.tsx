import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmptyWorkflowsArt } from '@/components/ui/art/EmptyWorkflowsArt';
import { EmptyState } from '@/components/ui/states/EmptyState';

interface Props {
  /** The open folder. */
  folder: { name: string } | undefined;
  isFiltered: boolean;
  /** There are folders in this place. */
  hasFolders: boolean;
  /** A button that creates a workflow. */
  create: ReactNode;
  onShowAll(): void;
  /** Looks for the same in all folders. */
  onSearchAll(): void;
}

/** What stands in place of the table: nothing matches, or there are no workflows here. */
export function EmptyWorkflowList({ folder, isFiltered, hasFolders, create, onShowAll, onSearchAll }: Props) {
  if (isFiltered)
    return (
      <EmptyState
        art={<EmptyWorkflowsArt />}
        title="No results"
        action={
          <Group gap="xs" justify="center">
            {folder && (
              <Button variant="light" onClick={onSearchAll}>
                Search all folders
              </Button>
            )}
            <Button variant={folder ? 'default' : 'light'} onClick={onShowAll}>
              Show all
            </Button>
          </Group>
        }
      >
        {folder
          ? `No workflow in ${folder.name} matches this search and these filters.`
          : 'No workflow matches this search and these filters.'}
      </EmptyState>
    );
  if (folder)
    return (
      <EmptyState art={<EmptyWorkflowsArt />} title="No workflows in this folder" action={create}>
        New workflows are created here. Drag others onto the folder, or move them with “Move to …” in their menu.
      </EmptyState>
    );
  // Folders are something to go on with.
  if (hasFolders)
    return (
      <EmptyState art={<EmptyWorkflowsArt />} title="All workflows are in folders" action={create}>
        Open a folder, or search by name in all of them.
      </EmptyState>
    );
  return (
    <EmptyState art={<EmptyWorkflowsArt />} title="No workflows yet" action={create}>
      A workflow is a graph of nodes. A trigger starts it, and each node passes its output on to the next.
    </EmptyState>
  );
}
