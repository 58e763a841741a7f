import type { XYPosition } from '@xyflow/react';
import type { CanvasBox } from '../viewport';
import type { ConnectionEnds, RouteDetour } from './route';

/** A cubic Bézier curve: start, two control points, end. */
type CubicCurve = readonly [XYPosition, XYPosition, XYPosition, XYPosition];

const BEZIER_CURVATURE = 0.35;
/** Number of straight pieces that a curve is tested by. */
const CURVE_PIECES = 24;

/** Length of the handle of a control point, as React Flow computes it. */
const controlPointReach = (distance: number) =>
  distance >= 0 ? distance / 2 : BEZIER_CURVATURE * 25 * Math.sqrt(-distance);

/**
 * The curves of a connection: a single one without a detour, otherwise one to the detour, the detour, and one from it.
 */
export function connectionCurves({ from, side, to }: ConnectionEnds, way: RouteDetour | undefined): CubicCurve[] {
  const reach = controlPointReach(to.x - from.x);
  const arrival = { x: to.x - reach, y: to.y };
  if (!way) {
    const departure =
      side === 'right' ? { x: from.x + reach, y: from.y } : { x: from.x, y: from.y + controlPointReach(to.y - from.y) };
    return [[from, departure, arrival, to]];
  }
  const [a, b] = [
    { x: way.x1, y: way.y },
    { x: way.x2, y: way.y },
  ];
  const direction = b.x >= a.x ? 1 : -1;
  const [before, after] = [detourBendLength(a.x - from.x, direction), detourBendLength(to.x - b.x, direction)];
  const departure = side === 'right' ? { x: from.x + before, y: from.y } : { x: from.x, y: way.y };
  return [
    [from, departure, { x: a.x - direction * (side === 'right' ? before : 0), y: way.y }, a],
    [a, a, b, b],
    [b, { x: b.x + direction * after, y: b.y }, { x: to.x - after, y: to.y }, to],
  ];
}

/** How far a curve bends into a detour. A detour back needs room to turn; a detour ahead uses half of its distance. */
const detourBendLength = (distance: number, direction: number) =>
  direction > 0 ? Math.max(24, Math.abs(distance) / 2) : 70;

/** The curves as the path of an SVG. */
export const curvesToSvgPath = (curves: readonly CubicCurve[]): string =>
  curves
    .map(([from, one, two, to], at) => {
      const start = at === 0 ? `M${from.x},${from.y}` : '';
      return `${start}C${one.x},${one.y} ${two.x},${two.y} ${to.x},${to.y}`;
    })
    .join('');

/** A point of a curve, `t` from 0 to 1. */
export function curvePoint([a, b, c, d]: CubicCurve, t: number): XYPosition {
  const u = 1 - t;
  const [i, j, k, l] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return { x: i * a.x + j * b.x + k * c.x + l * d.x, y: i * a.y + j * b.y + k * c.y + l * d.y };
}

/** The middle of a connection, for its label. */
export const curvesMiddle = (curves: readonly CubicCurve[]): XYPosition => {
  const middle = curves[Math.floor(curves.length / 2)];
  return middle ? curvePoint(middle, 0.5) : { x: 0, y: 0 };
};

/** The curves as a line of points. */
export function curvesToPoints(curves: readonly CubicCurve[]): XYPosition[] {
  const points: XYPosition[] = [];
  for (const curve of curves) {
    const isStraight = curve[0].y === curve[3].y && curve[1].y === curve[0].y && curve[2].y === curve[3].y;
    const pieces = isStraight ? 1 : CURVE_PIECES;
    for (let at = 0; at <= pieces; at += 1) points.push(curvePoint(curve, at / pieces));
  }
  return points;
}

/** Whether the straight line between two points enters a box (Liang–Barsky). */
export function doesLineEnterBox(a: XYPosition, b: XYPosition, { x, y, width, height }: CanvasBox): boolean {
  // Most lines and boxes are far apart.
  if (Math.max(a.x, b.x) <= x || Math.min(a.x, b.x) >= x + width) return false;
  if (Math.max(a.y, b.y) <= y || Math.min(a.y, b.y) >= y + height) return false;
  let [from, to] = [0, 1];
  for (const [start, delta, low, high] of [
    [a.x, b.x - a.x, x, x + width],
    [a.y, b.y - a.y, y, y + height],
  ] as const) {
    if (delta === 0) {
      if (start <= low || start >= high) return false;
    } else {
      const [one, two] = [(low - start) / delta, (high - start) / delta];
      from = Math.max(from, Math.min(one, two));
      to = Math.min(to, Math.max(one, two));
      if (from >= to) return false;
    }
  }
  return true;
}

/** Whether a line of points enters none of the boxes. */
export function doesLineAvoidBoxes(points: readonly XYPosition[], boxes: readonly CanvasBox[]): boolean {
  for (const box of boxes)
    for (let at = 1; at < points.length; at += 1) {
      const [from, to] = [points[at - 1], points[at]];
      if (from && to && doesLineEnterBox(from, to, box)) return false;
    }
  return true;
}
