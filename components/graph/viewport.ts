import type { XYPosition } from '@xyflow/react';

export interface Box extends XYPosition {
  width: number;
  height: number;
}

/** Size of the visible part of a canvas, in screen pixels. */
export interface ViewSize {
  width: number;
  height: number;
}

/** The visible share of a box, from 0 to 1. */
export function visibleShare({ x, y, width, height }: Box, viewSize: ViewSize): number {
  const across = Math.max(0, Math.min(x + width, viewSize.width) - Math.max(x, 0));
  const down = Math.max(0, Math.min(y + height, viewSize.height) - Math.max(y, 0));
  return (across * down) / (width * height);
}

/** The smallest pan that makes a box fully visible with a margin; a box that is too large fills the view. */
export const panIntoView = ({ x, y, width, height }: Box, viewSize: ViewSize, margin: number): XYPosition => ({
  x: shortest(x, width, viewSize.width, margin),
  y: shortest(y, height, viewSize.height, margin),
});

function shortest(from: number, length: number, viewSize: number, margin: number): number {
  const ends = [margin, viewSize - margin - length];
  return Math.min(Math.max(from, Math.min(...ends)), Math.max(...ends)) - from;
}
