import type { NamedListSort } from '@/contract/list-sort';
import { AppLink } from '@/components/ui/AppLink';
import { folderPath } from '../list/workflow-address';
import { useWorkflowDrop } from './workflow-drag';
import classes from './Folders.module.css';

export const TOP_LEVEL_NAME = 'Workflows';

/** Moves dropped workflows. Absent: the caller may not move any. */
export type MoveToFolder = (ids: string[], folderId: string | null, place: string) => void;

interface Props {
  /** From the top level down to the open one. */
  trail: readonly { id: string; name: string }[];
  /** The order of the list, which stays in the opened place. */
  sort: NamedListSort;
  onMove?: MoveToFolder;
}

/** The places above the open folder. Workflows can be dropped on them. */
export function FolderTrail({ trail, sort, onMove }: Props) {
  const places = [{ id: null, name: TOP_LEVEL_NAME }, ...trail.slice(0, -1)];
  return (
    <nav aria-label="Folders above">
      <ol className={classes.trail}>
        {places.map((place) => (
          <TrailPlace key={place.id} {...place} sort={sort} onMove={onMove} />
        ))}
      </ol>
    </nav>
  );
}

function TrailPlace({ id, name, sort, onMove }: Omit<Props, 'trail'> & { id: string | null; name: string }) {
  const { isOver, handlers } = useWorkflowDrop(onMove && ((ids) => onMove(ids, id, name)));
  return (
    <li {...handlers}>
      <AppLink href={folderPath(id, sort)} className={classes.place} data-over={isOver || undefined}>
        {name}
      </AppLink>
      <span aria-hidden className={classes.slash}>
        /
      </span>
    </li>
  );
}
