import type { Node as FlowNode, XYPosition } from '@xyflow/react';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { drawnIdMapper } from './groups';
import type { CanvasBox } from './viewport';

/**
 * A trigger on the canvas. It is not part of the definition: it is placed before the start node and cannot be moved.
 */
export type TriggerItem = FlowNode<{ triggerId: string; line: XYPosition }, 'trigger'>;

/** Size of a trigger card, and the space around it. */
export const TRIGGER_CARD_SIZE = { width: 252, height: 76, gap: 14, distance: 72 };
const TRIGGER_COLUMN_MARGIN = 24;

const doBoxesOverlap = (a: CanvasBox, b: CanvasBox) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const withColumnMargin = ({ x, y, width, height }: CanvasBox): CanvasBox => ({
  x: x - TRIGGER_COLUMN_MARGIN,
  y: y - TRIGGER_COLUMN_MARGIN,
  width: width + 2 * TRIGGER_COLUMN_MARGIN,
  height: height + 2 * TRIGGER_COLUMN_MARGIN,
});

/**
 * The column for `count` triggers to the left of `anchor`. It moves further left until it overlaps none of `others`.
 */
export function placeTriggerColumn(anchor: CanvasBox, count: number, others: readonly CanvasBox[]): CanvasBox {
  const { width, gap, distance } = TRIGGER_CARD_SIZE;
  const height = count * (TRIGGER_CARD_SIZE.height + gap) - gap;
  const column = { x: anchor.x - distance - width, y: anchor.y + (anchor.height - height) / 2, width, height };
  for (;;) {
    const inTheWay = others.filter((other) => doBoxesOverlap(withColumnMargin(column), other));
    if (inTheWay.length === 0) return column;
    column.x = Math.min(...inTheWay.map(({ x }) => x)) - TRIGGER_COLUMN_MARGIN - width;
  }
}

/**
 * The item that a trigger leads to: its start node, or the collapsed group around it. A trigger without one leads to
 * the first.
 */
export function drawnStartId(definition: WorkflowDefinition, startNodeId: string | null = null): string | undefined {
  const starts = definition.nodes.filter(({ type, disabled }) => type === 'start' && !disabled);
  const start = starts.find(({ id }) => id === startNodeId) ?? starts[0];
  return start && drawnIdMapper(definition)(start.id);
}

/** A trigger that is drawn, and the start node of its runs. Null: every start node. */
export interface DrawnTrigger {
  id: string;
  startNodeId: string | null;
}

interface PlacedCanvasItem extends CanvasBox {
  id: string;
}

/**
 * The triggers as React Flow draws them: a column before the start item, each with the way to it. None without a start
 * item.
 */
export function buildTriggerItems(
  triggerIds: readonly string[],
  startId: string | undefined,
  placed: readonly PlacedCanvasItem[],
): TriggerItem[] {
  const anchor = placed.find(({ id }) => id === startId);
  if (!anchor || triggerIds.length === 0) return [];
  const column = placeTriggerColumn(
    anchor,
    triggerIds.length,
    placed.filter((other) => other !== anchor),
  );
  const { width, height, gap } = TRIGGER_CARD_SIZE;
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
      // React Flow gives no pointer events to items that can be neither moved nor selected.
      style: { pointerEvents: 'all' },
    };
  });
}
