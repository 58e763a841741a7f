import { ActionIcon } from '@mantine/core';
import { IconDots, IconFolderFilled } from '@tabler/icons-react';
import type { NamedListSort } from '@/contract/list-sort';
import type { FolderResponse } from '@/contract/workflows/folder';
import { AppLink } from '@/components/ui/AppLink';
import { folderPath } from '../list/workflow-address';
import { FolderMenu } from './FolderMenu';
import type { MoveToFolder } from './FolderTrail';
import { useWorkflowDrop } from './workflow-drag';
import classes from './Folders.module.css';

interface Props {
  folders: readonly FolderResponse[];
  /** The order of the list, which stays in an opened folder. */
  sort: NamedListSort;
  onMove?: MoveToFolder;
}

/** The folders of a place. Each opens like a page, and takes workflows that are dropped on it. */
export const FolderCards = ({ folders, sort, onMove }: Props) => (
  <ul className={classes.cards} aria-label="Folders">
    {folders.map((folder) => (
      <FolderCard key={folder.id} folder={folder} sort={sort} onMove={onMove} />
    ))}
  </ul>
);

function FolderCard({ folder, sort, onMove }: Omit<Props, 'folders'> & { folder: FolderResponse }) {
  const { id, name } = folder;
  const { isOver, handlers } = useWorkflowDrop(onMove && ((ids) => onMove(ids, id, name)));
  return (
    <li className={classes.card} data-over={isOver || undefined} {...handlers}>
      <IconFolderFilled size={20} aria-hidden className={classes.icon} />
      <AppLink href={folderPath(id, sort)} className={classes.name} title={name}>
        {name}
      </AppLink>
      <FolderMenu folder={folder}>
        <ActionIcon size="lg" aria-label={`More for the folder ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </FolderMenu>
    </li>
  );
}
