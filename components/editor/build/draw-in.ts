import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { connectionId } from '@/components/graph/cards-and-edges';
import { sortBySources, sourceNodeIds } from '../preview/node-input';

/** A proposal draws itself in so many milliseconds at most, each column of cards after the one before. */
const [MAX_DRAWING_MS, COLUMN_MS, APPEARING_MS] = [2400, 220, 260];

/** For each node the number of columns before it, along the connections. */
export function findNodeColumns(definition: WorkflowDefinition): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const { id } of sortBySources(definition, new Set(definition.nodes.map((node) => node.id)))) {
    const before = sourceNodeIds(definition, id).map((source) => columns.get(source) ?? 0);
    columns.set(id, before.length > 0 ? Math.max(...before) + 1 : 0);
  }
  return columns;
}

/** The time between two columns, in milliseconds. */
export const drawingStepMs = (columns: ReadonlyMap<string, number>): number =>
  Math.min(COLUMN_MS, MAX_DRAWING_MS / (1 + Math.max(0, ...columns.values())));

export const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Lets the new cards of a canvas appear one column after the other, triggers first and each wire with the card that it
 * leads to. Without motion for those who asked for none. Returns the time that it takes, in milliseconds.
 */
export function drawInDefinition(definition: WorkflowDefinition, isNew: (id: string) => boolean): number {
  if (isMotionReduced()) return 0;
  const columns = findNodeColumns(definition);
  const stepMs = drawingStepMs(columns);
  const appear = (selector: string, column: number, from: Keyframe) =>
    document.querySelector(selector)?.animate([from, { opacity: 1, transform: 'none' }], {
      delay: column * stepMs,
      duration: APPEARING_MS,
      easing: 'ease-out',
      fill: 'backwards',
    });
  const hidden = { opacity: 0, transform: 'translateX(-14px)' };
  for (const [id, column] of columns)
    if (isNew(id)) appear(`.react-flow__node[data-id="${CSS.escape(id)}"] > *`, column + 1, hidden);
  for (const connection of definition.connections) {
    const { sourceNode, targetNode } = connection;
    const edge = `.react-flow__edge[data-id="${CSS.escape(connectionId(connection))}"]`;
    if (isNew(sourceNode) || isNew(targetNode))
      appear(edge, (columns.get(targetNode) ?? 0) + 0.5, { opacity: 0, transform: 'none' });
  }
  appear('.react-flow__node-trigger > *', 0, hidden);
  return (Math.max(0, ...columns.values()) + 1) * stepMs + APPEARING_MS;
}
