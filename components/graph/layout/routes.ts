import type { Connection, Definition } from '@/contract/workflows/workflow';
import { connectionId, type Catalogue } from '../flow';
import { folded } from '../groups';
import type { Box } from '../viewport';
import { BoxIndex } from './box-index';
import { avoids, curvesOf, pointsOf } from './curve';
import { geometryOf, type Geometry } from './geometry';
import type { Ends, Route, Routes, Way } from './route';

/** Space between a way and the cards beside it. */
const CLEARANCE = 24;
/** A connection may touch the border of a card, and its own cards where it begins and ends. */
const TOLERANCE = { other: -4, own: 6 };
/** How far a way may lead away from the direct line. */
const DETOUR = 700;
/**
 * Limits of the search: the cards near a connection, and the comparisons of a curve with a card for all connections together. Without them
 * long connections in a large graph would block the browser.
 */
const MOST_CARDS = 300;
const MOST_COMPARISONS = 60_000;

/**
 * Ways around cards for the connections whose direct curve would pass below one. A connection that finds no free way
 * has none: it is drawn directly. So is one that would take too long.
 */
export function routesOf(definition: Definition, catalogue: Catalogue): Routes {
  const drawn = folded(definition);
  const geometry = geometryOf(drawn, catalogue);
  const near = cardsOf(geometry);
  const routes = new Map<string, Route>();
  const budget = { left: MOST_COMPARISONS };
  for (const connection of drawn.connections) {
    const ends = geometry.endsOf(connection);
    const way = ends && wayOf(ends, connection, near, budget);
    if (way) routes.set(connectionId(connection), { ends, way });
  }
  return routes;
}

type Near = (area: Box, connection: Connection) => Box[];

function wayOf(ends: Ends, connection: Connection, near: Near, budget: { left: number }): Way | undefined {
  if (budget.left <= 0) return undefined;
  const { from, to } = ends;
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  const direct = pointsOf(curvesOf(ends, undefined));
  // A connection that leads back leaves the space between its ends.
  const slack = to.x < from.x ? 120 : 0;
  const between = { x: left - slack, y: top - 1, width: width + 2 * slack + 1, height: height + 2 };
  const inTheWay = near(between, connection);
  budget.left -= inTheWay.length;
  if (avoids(direct, inTheWay)) return undefined;
  const area = { x: left - 200, y: top - DETOUR, width: width + 400, height: height + 2 * DETOUR };
  const obstacles = near(area, connection);
  if (obstacles.length > MOST_CARDS) return undefined;
  let best: { way: Way; cost: number } | undefined;
  for (const way of candidates(ends, obstacles)) {
    const cost = detour(ends, way);
    const isWorse = best !== undefined && best.cost <= cost;
    budget.left -= isWorse ? 1 : obstacles.length;
    if (budget.left <= 0) break;
    if (!isWorse && isFree(ends, way, obstacles)) best = { way, cost };
  }
  return best?.way;
}

/** Its straight part first, which leads most ways into a card, and is a single line. */
const isFree = (ends: Ends, way: Way, obstacles: readonly Box[]): boolean =>
  avoids(straightOf(way), obstacles) && avoids(pointsOf(curvesOf(ends, way)), obstacles);

const straightOf = ({ y, x1, x2 }: Way) => [
  { x: x1, y },
  { x: x2, y },
];

/** How much longer a way is than the direct line; a way that keeps to the height of an end is shorter. */
const detour = ({ from, to }: Ends, { y, x1, x2 }: Way) =>
  Math.abs(y - from.y) + Math.abs(y - to.y) + (Math.abs(x1 - from.x) + Math.abs(x2 - to.x)) / 8;

/** Ways directly above and below the obstacles, and at the height of the ends; those with the shortest detour first. */
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
  const by =
    (...ends: number[]) =>
    (one: number, other: number) =>
      ends.reduce((sum, end) => sum + Math.abs(one - end) - Math.abs(other - end), 0);
  const [nearStarts, nearArrivals] = [[...starts].sort(by(from.x)), [...arrivals].sort(by(to.x))];
  for (const y of [...heights].sort(by(from.y, to.y)))
    for (const x1 of nearStarts) for (const x2 of nearArrivals) if (isBack ? x2 < x1 : x2 >= x1) yield { y, x1, x2 };
}

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The cards that an area touches, with the tolerance for the cards of a connection and for others. */
function cardsOf({ boxes }: Geometry): Near {
  const index = new BoxIndex(boxes);
  return (area, { sourceNode, targetNode }) =>
    index
      .overlapping(area)
      .map((box) => grown(box, box.id === sourceNode || box.id === targetNode ? -TOLERANCE.own : -TOLERANCE.other));
}
