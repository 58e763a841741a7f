const TYPE = 'application/x-weft-path';

/** Lets a field of some data be dragged: what is let go elsewhere is the expression that reads it. */
export function dragPath(transfer: DataTransfer, path: string): void {
  transfer.setData(TYPE, path);
  transfer.setData('text/plain', `{{ ${path} }}`);
  transfer.effectAllowed = 'copy';
}

/** The path that was dragged here; undefined: it is something else. */
export const draggedPath = (transfer: DataTransfer | null): string | undefined => transfer?.getData(TYPE) || undefined;

/** Whether it is one, before it is let go, when the path can't be read yet. */
export const isDraggingPath = (transfer: DataTransfer): boolean => transfer.types.includes(TYPE);
