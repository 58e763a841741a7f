import type { NodeConnection, WorkflowDefinition } from '@/contract/workflows/workflow';
import { connectionId, type NodeTypesByName } from '../cards-and-edges';
import { toDrawnDefinition } from '../groups';
import type { CanvasBox } from '../viewport';
import { BoxIndex } from './box-index';
import { doesLineAvoidBoxes, connectionCurves, curvesToPoints } from './curve';
import { computeGeometry, type GraphGeometry } from './geometry';
import type { ConnectionEnds, ConnectionRoute, ConnectionRoutes, RouteDetour } from './route';

/** The space between a detour and the cards beside it. */
const DETOUR_CLEARANCE = 24;
/** A connection may touch the border of a card, and its own cards where it begins and ends. */
const TOUCH_TOLERANCE = { other: -4, own: 6 };
/** How far a detour may lead away from the direct line. */
const MAX_DETOUR_DISTANCE = 700;
/**
 * Limits of the search: the cards near a connection, and the comparisons of a curve with a card for all connections
 * together. Without them long connections in a large graph would block the browser.
 */
const MAX_NEARBY_CARDS = 300;
const MAX_ROUTE_COMPARISONS = 60_000;

/**
 * Ways around cards for the connections whose direct curve would pass below one. A connection that finds no free way
 * has none: it is drawn directly. So is one that would take too long.
 */
export function findConnectionRoutes(definition: WorkflowDefinition, catalogue: NodeTypesByName): ConnectionRoutes {
  const drawn = toDrawnDefinition(definition);
  const geometry = computeGeometry(drawn, catalogue);
  const near = nearbyCardFinder(geometry);
  const routes = new Map<string, ConnectionRoute>();
  const budget = { left: MAX_ROUTE_COMPARISONS };
  for (const connection of drawn.connections) {
    const ends = geometry.connectionEnds(connection);
    const way = ends && findDetour(ends, connection, near, budget);
    if (way) routes.set(connectionId(connection), { ends, way });
  }
  return routes;
}

type FindNearbyCards = (area: CanvasBox, connection: NodeConnection) => CanvasBox[];

function findDetour(
  ends: ConnectionEnds,
  connection: NodeConnection,
  near: FindNearbyCards,
  budget: { left: number },
): RouteDetour | undefined {
  if (budget.left <= 0) return undefined;
  const { from, to } = ends;
  const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)];
  const [width, height] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  const direct = curvesToPoints(connectionCurves(ends, undefined));
  // A connection that leads back leaves the space between its ends.
  const slack = to.x < from.x ? 120 : 0;
  const between = { x: left - slack, y: top - 1, width: width + 2 * slack + 1, height: height + 2 };
  const inTheWay = near(between, connection);
  budget.left -= inTheWay.length;
  if (doesLineAvoidBoxes(direct, inTheWay)) return undefined;
  const area = {
    x: left - 200,
    y: top - MAX_DETOUR_DISTANCE,
    width: width + 400,
    height: height + 2 * MAX_DETOUR_DISTANCE,
  };
  const obstacles = near(area, connection);
  if (obstacles.length > MAX_NEARBY_CARDS) return undefined;
  let best: { way: RouteDetour; cost: number } | undefined;
  for (const way of candidateDetours(ends, obstacles)) {
    const cost = detourCost(ends, way);
    const isWorse = best !== undefined && best.cost <= cost;
    budget.left -= isWorse ? 1 : obstacles.length;
    if (budget.left <= 0) break;
    if (!isWorse && isDetourFree(ends, way, obstacles)) best = { way, cost };
  }
  return best?.way;
}

/** The straight part is tested first: it is a single line, and most detours that are not free enter a card there. */
const isDetourFree = (ends: ConnectionEnds, way: RouteDetour, obstacles: readonly CanvasBox[]): boolean =>
  doesLineAvoidBoxes(detourLine(way), obstacles) &&
  doesLineAvoidBoxes(curvesToPoints(connectionCurves(ends, way)), obstacles);

const detourLine = ({ y, x1, x2 }: RouteDetour) => [
  { x: x1, y },
  { x: x2, y },
];

/** How much longer a detour is than the direct line. It is shorter at the height of one of the ends. */
const detourCost = ({ from, to }: ConnectionEnds, { y, x1, x2 }: RouteDetour) =>
  Math.abs(y - from.y) + Math.abs(y - to.y) + (Math.abs(x1 - from.x) + Math.abs(x2 - to.x)) / 8;

/** Ways directly above and below the obstacles, and at the height of the ends; those with the shortest detour first. */
function* candidateDetours(
  { from, side, to }: ConnectionEnds,
  obstacles: readonly CanvasBox[],
): Generator<RouteDetour> {
  const heights = new Set([from.y, to.y]);
  for (const { y, height } of obstacles) heights.add(y - DETOUR_CLEARANCE).add(y + height + DETOUR_CLEARANCE);
  const isBack = to.x < from.x + 60;
  const starts = new Set(side === 'bottom' ? [from.x + 24, from.x] : isBack ? [from.x + 20] : [from.x + 60]);
  const arrivals = new Set(isBack ? [to.x - 20] : [to.x - 60]);
  if (!isBack) {
    for (const { x, width } of obstacles) {
      if (x - DETOUR_CLEARANCE > from.x) starts.add(x - DETOUR_CLEARANCE);
      if (x + width + DETOUR_CLEARANCE < to.x) arrivals.add(x + width + DETOUR_CLEARANCE);
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

const growBoxBy = ({ x, y, width, height }: CanvasBox, by: number): CanvasBox => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** The cards that an area touches, with the tolerance for the cards of a connection and for others. */
function nearbyCardFinder({ boxes, roomyBoxes }: GraphGeometry): FindNearbyCards {
  const index = new BoxIndex(roomyBoxes);
  return (area, { sourceNode, targetNode }) =>
    index.overlapping(area).map((box) => {
      // The parts of its own agent may be crossed: the error output is above them.
      const own = box.id === sourceNode || box.id === targetNode ? boxes.get(box.id) : undefined;
      return own ? growBoxBy(own, -TOUCH_TOLERANCE.own) : growBoxBy(box, -TOUCH_TOLERANCE.other);
    });
}
