import type { XYPosition } from '@xyflow/react';

export interface Box extends XYPosition {
  width: number;
  height: number;
}

/** What is seen of a canvas, by its size on the screen. */
export interface Room {
  width: number;
  height: number;
}

/** How much of a box is seen: 0 nothing, 1 all of it. */
export function shareSeen({ x, y, width, height }: Box, room: Room): number {
  const across = Math.max(0, Math.min(x + width, room.width) - Math.max(x, 0));
  const down = Math.max(0, Math.min(y + height, room.height) - Math.max(y, 0));
  return (across * down) / (width * height);
}

/** The shortest way for a box to be seen whole, with a margin around it; for one that is too large, to fill the room. */
export const wayIntoSight = ({ x, y, width, height }: Box, room: Room, margin: number): XYPosition => ({
  x: shortest(x, width, room.width, margin),
  y: shortest(y, height, room.height, margin),
});

function shortest(from: number, length: number, room: number, margin: number): number {
  const ends = [margin, room - margin - length];
  return Math.min(Math.max(from, Math.min(...ends)), Math.max(...ends)) - from;
}
