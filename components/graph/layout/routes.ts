import type { Connection, Definition } from '@/contract/workflows/workflow';
import { connectionId, type Catalogue } from '../flow';
import { folded } from '../groups';
import type { Box } from '../viewport';
import { curvesOf, entered, pointsOf } from './curve';
import { geometryOf, type Geometry } from './geometry';
import type { Ends, Route, Routes, Way } from './route';

/** Space between a way and the cards beside it. */
const CLEARANCE = 24;
/** A connection may touch the border of a card, and its own cards where it begins and ends. */
const TOLERANCE = { other: -4, own: 6 };
/** How far a way may lead away from the direct line. */
const DETOUR = 700;
const CELL = 512;

/**
 * Ways around cards for the connections whose direct curve would pass below one. A connection that finds no free way
 * has none: it is drawn directly.
 */
export function routesOf(definition: Definition, catalogue: Catalogue): Routes {
  const drawn = folded(definition);
  const geometry = geometryOf(drawn, catalogue);
  const near = indexOf(geometry);
  const routes = new Map<string, Route>();
  for (const connection of drawn.connections) {
    const ends = geometry.endsOf(connection);
    const way = ends && wayOf(ends, connection, near);
    if (way) routes.set(connectionId(connection), { ends, way });
  }
  return routes;
}

type Near = (area: Box, connection: Connection) => Box[];

function wayOf(ends: Ends, connection: Connection, near: Near): Way | undefined {
  const { from, to } = ends;
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  const direct = pointsOf(curvesOf(ends, undefined));
  // A connection that leads back leaves the space between its ends.
  const slack = to.x < from.x ? 120 : 0;
  const between = { x: left - slack, y: top - 1, width: width + 2 * slack + 1, height: height + 2 };
  const inTheWay = near(between, connection);
  const hits = entered(direct, inTheWay);
  if (hits === 0) return undefined;
  const area = { x: left - 200, y: top - DETOUR, width: width + 400, height: height + 2 * DETOUR };
  const obstacles = near(area, connection);
  let best: { way: Way; cost: number } | undefined;
  for (const way of candidates(ends, obstacles)) {
    const cost = detour(ends, way);
    if (best && best.cost <= cost) continue;
    if (entered(pointsOf(curvesOf(ends, way)), obstacles) === 0) best = { way, cost };
  }
  return best?.way;
}

/** How much longer a way is than the direct line; a way that keeps to the height of an end is shorter. */
const detour = ({ from, to }: Ends, { y, x1, x2 }: Way) =>
  Math.abs(y - from.y) + Math.abs(y - to.y) + (Math.abs(x1 - from.x) + Math.abs(x2 - to.x)) / 8;

/** Ways directly above and below the obstacles, and at the height of the ends. */
function* candidates({ from, side, to }: Ends, obstacles: readonly Box[]): Generator<Way> {
  const heights = new Set([from.y, to.y]);
  for (const { y, height } of obstacles) heights.add(y - CLEARANCE).add(y + height + CLEARANCE);
  const isBack = to.x < from.x + 60;
  const starts = new Set(side === 'bottom' ? [from.x + 24, from.x] : isBack ? [from.x + 20] : [from.x + 60]);
  const arrivals = new Set(isBack ? [to.x - 20] : [to.x - 60]);
  if (!isBack) {
    for (const { x, width } of obstacles) {
      if (x - CLEARANCE > from.x) starts.add(x - CLEARANCE);
      if (x + width + CLEARANCE < to.x) arrivals.add(x + width + CLEARANCE);
    }
  }
  for (const y of heights)
    for (const x1 of starts) for (const x2 of arrivals) if (isBack ? x2 < x1 : x2 >= x1) yield { y, x1, x2 };
}

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The boxes near an area, from a grid of cells, with the tolerance for the cards of a connection and for others. */
function indexOf({ boxes }: Geometry): Near {
  const cells = new Map<string, Set<string>>();
  const cellsOf = function* ({ x, y, width, height }: Box) {
    for (let column = Math.floor(x / CELL); column <= Math.floor((x + width) / CELL); column += 1)
      for (let row = Math.floor(y / CELL); row <= Math.floor((y + height) / CELL); row += 1) yield `${column} ${row}`;
  };
  for (const [id, box] of boxes)
    for (const cell of cellsOf(box)) {
      const ids = cells.get(cell);
      if (ids) ids.add(id);
      else cells.set(cell, new Set([id]));
    }
  return (area, { sourceNode, targetNode }) => {
    const ids = new Set([...cellsOf(area)].flatMap((cell) => [...(cells.get(cell) ?? [])]));
    return [...ids].flatMap((id) => {
      const box = boxes.get(id);
      if (!box) return [];
      return [grown(box, id === sourceNode || id === targetNode ? -TOLERANCE.own : -TOLERANCE.other)];
    });
  };
}
