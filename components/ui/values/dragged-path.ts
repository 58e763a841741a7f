const TYPE = 'application/x-weft-path';

/** Starts dragging a data field; a drop inserts the expression that reads it. */
export function dragPath(transfer: DataTransfer, path: string): void {
  transfer.setData(TYPE, path);
  transfer.setData('text/plain', `{{ ${path} }}`);
  transfer.effectAllowed = 'copy';
}

/** The dropped path; undefined: another kind of data was dropped. */
export const draggedPath = (transfer: DataTransfer | null): string | undefined => transfer?.getData(TYPE) || undefined;

/** Whether a path is dragged. The path itself is readable only on drop. */
export const isDraggingPath = (transfer: DataTransfer): boolean => transfer.types.includes(TYPE);
