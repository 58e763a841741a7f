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

function shortestShift(from: number, length: number, viewSize: number, margin: number): number {
  const ends = [margin, viewSize - margin - length];
  return Math.min(Math.max(from, Math.min(...ends)), Math.max(...ends)) - from;
}
