const PATH_DRAG_TYPE = 'application/x-weft-path';

/**
 * Starts dragging a data field by its path of JSONata; a drop inserts the expression that reads it. `text`: the path
 * for targets that know plain texts only.
 */
export function startPathDrag(transfer: DataTransfer, path: string, text = path): void {
  transfer.setData(PATH_DRAG_TYPE, path);
  transfer.setData('text/plain', `{{ ${text} }}`);
  transfer.effectAllowed = 'copy';
}

/** The dropped path; undefined: another kind of data was dropped. */
export const readDroppedPath = (transfer: DataTransfer | null): string | undefined =>
  transfer?.getData(PATH_DRAG_TYPE) || undefined;

/** Whether a path is dragged. The path itself is readable only on drop. */
export const isPathDrag = (transfer: DataTransfer): boolean => transfer.types.includes(PATH_DRAG_TYPE);
