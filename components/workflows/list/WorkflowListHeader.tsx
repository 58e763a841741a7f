import { ActionIcon, Alert, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconFolderPlus, IconPlus } from '@tabler/icons-react';
import type { NamedListSort } from '@/contract/list-sort';
import type { FolderResponse } from '@/contract/workflows/folder';
import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { PageHeader } from '@/components/ui/page/PageHeader';
import { PermittedButton } from '@/components/ui/PermittedButton';
import { FolderMenu } from '../folders/FolderMenu';
import { FolderTrail, TOP_LEVEL_NAME, type MoveToFolder } from '../folders/FolderTrail';
import { ImportWorkflowButton } from '../ImportWorkflowButton';

const FolderForm = lazyWithPreload(() => import('../folders/FolderForm').then((module) => module.FolderForm));

interface Props {
  /** From the top level down to the open folder. Empty: the top level. */
  trail: readonly FolderResponse[];
  sort: NamedListSort;
  /** The folder of the address does not exist. */
  isMissing: boolean;
  onCreate(): void;
  onTemplates(): void;
  /** The open folder was deleted. */
  onDeleted(): void;
  onMove?: MoveToFolder;
}

/** The name of the place and the ways to add to it. */
export function WorkflowListHeader({ trail, sort, isMissing, onCreate, onTemplates, onDeleted, onMove }: Props) {
  const [isNaming, naming] = useDisclosure(false);
  const folder = trail.at(-1);
  return (
    <>
      <PageHeader
        title={folder?.name ?? TOP_LEVEL_NAME}
        summary={folder ? undefined : 'The workflows of this workspace, by folder.'}
        above={folder && <FolderTrail trail={trail} sort={sort} onMove={onMove} />}
      >
        {folder && (
          <FolderMenu folder={folder} onDeleted={onDeleted}>
            <ActionIcon variant="default" size={36} aria-label={`More for the folder ${folder.name}`}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </FolderMenu>
        )}
        <PermittedButton to="workflow:create">
          <Button variant="default" leftSection={<IconFolderPlus size={17} aria-hidden />} onClick={naming.open}>
            New folder
          </Button>
        </PermittedButton>
        <ImportWorkflowButton />
        <PermittedButton to="workflow:create">
          <Button variant="default" onClick={onTemplates}>
            Templates
          </Button>
        </PermittedButton>
        <PermittedButton to="workflow:create">
          <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={onCreate}>
            New workflow
          </Button>
        </PermittedButton>
      </PageHeader>
      {isMissing && (
        <Alert color="gray" mb="md" title="This folder does not exist">
          It was deleted, or the address is of another workspace. Its workflows are in the folder that it was in.
        </Alert>
      )}
      {isNaming && <FolderForm parentId={folder?.id ?? null} onClose={naming.close} />}
    </>
  );
}
