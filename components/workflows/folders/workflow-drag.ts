import { useState, type DragEvent } from 'react';

/** The type of dragged workflows: a JSON list of their ids. */
const WORKFLOW_DRAG_TYPE = 'application/x-weft-workflows';

/** Begins to drag workflows. */
export function dragWorkflows(event: DragEvent, ids: readonly string[]): void {
  event.dataTransfer.setData(WORKFLOW_DRAG_TYPE, JSON.stringify(ids));
  event.dataTransfer.effectAllowed = 'move';
}

/** A place that workflows can be dropped on. `isOver`: some are above it. */
export function useWorkflowDrop(onDrop: ((ids: string[]) => void) | undefined) {
  const [isOver, setOver] = useState(false);
  const accept = (event: DragEvent) => {
    if (!onDrop || !event.dataTransfer.types.includes(WORKFLOW_DRAG_TYPE)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    const text = event.dataTransfer.getData(WORKFLOW_DRAG_TYPE);
    setOver(false);
    if (text === '') return;
    event.preventDefault();
    onDrop?.(JSON.parse(text) as string[]);
  };
  const leave = (event: DragEvent) => {
    // Moving onto a child of the place is no leaving.
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
  };
  return { isOver, handlers: { onDragEnter: accept, onDragOver: accept, onDragLeave: leave, onDrop: drop } };
}
