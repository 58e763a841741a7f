import type { Node as FlowNode, XYPosition } from '@xyflow/react';
import type { Definition } from '@/contract/workflows/workflow';
import { drawnAs } from './groups';
import type { Box } from './viewport';

/** A trigger on the canvas. It is not part of the definition: it is placed before the start node and cannot be moved. */
export type TriggerItem = FlowNode<{ triggerId: string; line: XYPosition }, 'trigger'>;

/** Size of a trigger card, and the space around it. */
export const TRIGGER = { width: 232, height: 76, gap: 14, distance: 72 };
const MARGIN = 24;

const overlaps = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const grown = ({ x, y, width, height }: Box): Box => ({
  x: x - MARGIN,
  y: y - MARGIN,
  width: width + 2 * MARGIN,
  height: height + 2 * MARGIN,
});

/** The column of so many triggers to the left of `anchor`, moved on to the left until it overlaps none of `others`. */
export function columnBefore(anchor: Box, count: number, others: readonly Box[]): Box {
  const { width, gap, distance } = TRIGGER;
  const height = count * (TRIGGER.height + gap) - gap;
  const column = { x: anchor.x - distance - width, y: anchor.y + (anchor.height - height) / 2, width, height };
  for (;;) {
    const inTheWay = others.filter((other) => overlaps(grown(column), other));
    if (inTheWay.length === 0) return column;
    column.x = Math.min(...inTheWay.map(({ x }) => x)) - MARGIN - width;
  }
}

/** The item that the triggers lead to: the start node, or the collapsed group around it. */
export function startIdOf(definition: Definition): string | undefined {
  const start = definition.nodes.find(({ type, disabled }) => type === 'start' && !disabled);
  return start && drawnAs(definition)(start.id);
}

interface Placed extends Box {
  id: string;
}

/** The triggers as React Flow draws them: a column before the start item, each with the way to it. None without a start item. */
export function triggerItems(
  triggerIds: readonly string[],
  startId: string | undefined,
  placed: readonly Placed[],
): TriggerItem[] {
  const anchor = placed.find(({ id }) => id === startId);
  if (!anchor || triggerIds.length === 0) return [];
  const column = columnBefore(
    anchor,
    triggerIds.length,
    placed.filter((other) => other !== anchor),
  );
  const { width, height, gap } = TRIGGER;
  return triggerIds.map((triggerId, index) => {
    const position = { x: column.x, y: column.y + index * (height + gap) };
    const line = { x: anchor.x - position.x - width, y: anchor.y + anchor.height / 2 - position.y - height / 2 };
    return {
      id: `trigger ${triggerId}`,
      type: 'trigger',
      position,
      width,
      height,
      measured: { width, height },
      data: { triggerId, line },
      draggable: false,
      selectable: false,
      connectable: false,
      deletable: false,
      focusable: false,
      zIndex: -1,
      // React Flow gives none to items that can be neither moved nor selected.
      style: { pointerEvents: 'all' },
    };
  });
}
