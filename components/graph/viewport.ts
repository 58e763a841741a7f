import type { XYPosition } from '@xyflow/react';

export interface CanvasBox extends XYPosition {
  width: number;
  height: number;
}

/** Size of the visible part of a canvas, in screen pixels. */
export interface ViewSize {
  width: number;
  height: number;
}

/** The visible share of a box, from 0 to 1. */
export function visibleShare({ x, y, width, height }: CanvasBox, viewSize: ViewSize): number {
  const across = Math.max(0, Math.min(x + width, viewSize.width) - Math.max(x, 0));
  const down = Math.max(0, Math.min(y + height, viewSize.height) - Math.max(y, 0));
  return (across * down) / (width * height);
}

/** The smallest pan that makes a box fully visible with a margin; a box that is too large fills the view. */
export const panIntoView = ({ x, y, width, height }: CanvasBox, viewSize: ViewSize, margin: number): XYPosition => ({
  x: shortestShift(x, width, viewSize.width, margin),
  y: shortestShift(y, height, viewSize.height, margin),
});

/**
 * The pan after a view became smaller: none while a box is still visible, otherwise the smallest that shows those that
 * were. Boxes are visible if `enough` of them is, from 0 to 1.
 */
export function panAfterResize(
  boxes: readonly CanvasBox[],
  [before, after]: readonly [ViewSize, ViewSize],
  { enough, margin }: { enough: number; margin: number },
): XYPosition {
  const visible = boxes.filter((box) => visibleShare(box, before) >= enough);
  if (visible.length === 0 || visible.some((box) => visibleShare(box, after) >= enough)) return { x: 0, y: 0 };
  const x = Math.min(...visible.map((box) => box.x));
  const y = Math.min(...visible.map((box) => box.y));
  const width = Math.max(...visible.map((box) => box.x + box.width)) - x;
  const height = Math.max(...visible.map((box) => box.y + box.height)) - y;
  return panIntoView({ x, y, width, height }, after, margin);
}

/**
 * The boxes that a canvas shows when it opens: all of them if they fit at a zoom that can be read, otherwise those that
 * begin the graph, from the leftmost on.
 */
export function selectFirstBoxes<Box extends CanvasBox>(
  boxes: readonly Box[],
  viewSize: ViewSize,
  { minZoom, margin }: { minZoom: number; margin: number },
): readonly Box[] {
  const width = (viewSize.width - 2 * margin) / minZoom;
  const height = (viewSize.height - 2 * margin) / minZoom;
  const first = boxes.reduce<Box | undefined>(
    (best, box) => (best && (best.x < box.x || (best.x === box.x && best.y <= box.y)) ? best : box),
    undefined,
  );
  if (!first) return boxes;
  const extent = (side: 'x' | 'y', length: 'width' | 'height') =>
    Math.max(...boxes.map((box) => box[side] + box[length])) - Math.min(...boxes.map((box) => box[side]));
  if (extent('x', 'width') <= width && extent('y', 'height') <= height) return boxes;
  const top = first.y + (first.height - height) / 2;
  return boxes.filter(
    (box) =>
      box === first || (box.x + box.width <= first.x + width && box.y >= top && box.y + box.height <= top + height),
  );
}

function shortestShift(from: number, length: number, viewSize: number, margin: number): number {
  const ends = [margin, viewSize - margin - length];
  return Math.min(Math.max(from, Math.min(...ends)), Math.max(...ends)) - from;
}
