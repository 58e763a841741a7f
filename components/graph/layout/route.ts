import type { XYPosition } from '@xyflow/react';

/** Where a connection begins and ends. `side`: the border of the source card that it leaves from. */
export interface Ends {
  from: XYPosition;
  side: 'right' | 'bottom';
  to: XYPosition;
}

/** The horizontal part of a connection that is led around cards: at height `y`, from `x1` to `x2`. */
export interface Way {
  y: number;
  x1: number;
  x2: number;
}

/** A connection that is led around cards. `ends`: what the way was computed for; it is void for others. */
export interface Route {
  ends: Ends;
  way: Way;
}
export type Routes = ReadonlyMap<string, Route>;
