import type { XYPosition } from '@xyflow/react';

/** Where a connection begins and ends. `side`: the border of the source card that it leaves from. */
export interface ConnectionEnds {
  from: XYPosition;
  side: 'right' | 'bottom';
  to: XYPosition;
}

/** The horizontal part of a connection that is led around cards: at height `y`, from `x1` to `x2`. */
export interface RouteDetour {
  y: number;
  x1: number;
  x2: number;
}

/** A connection that is led around cards. `ends`: what the way was computed for; it is void for others. */
export interface ConnectionRoute {
  ends: ConnectionEnds;
  way: RouteDetour;
}
export type ConnectionRoutes = ReadonlyMap<string, ConnectionRoute>;
