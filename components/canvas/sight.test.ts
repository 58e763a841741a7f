import { expect, test } from 'vitest';
import { shareSeen, wayIntoSight } from './sight';

const ROOM = { width: 1000, height: 500 };
const at = (x: number, y: number) => ({ x, y, width: 200, height: 100 });

test.each([
  ['in the middle', at(400, 200), 1],
  ['half beyond the right edge', at(900, 200), 0.5],
  ['a quarter in the upper left corner', at(-100, -50), 0.25],
  ['far away', at(2000, 200), 0],
])('of what is %s so much is seen', (_, box, share) => expect(shareSeen(box, ROOM)).toBe(share));

test.each([
  ['what is seen whole stays', at(400, 200), { x: 0, y: 0 }],
  ['beyond the right edge', at(900, 200), { x: -124, y: 0 }],
  ['beyond the upper left corner', at(-100, -50), { x: 124, y: 74 }],
  ['far away, by the shortest way', at(-3000, 3000), { x: 3024, y: -2624 }],
])('%s', (_, box, way) => expect(wayIntoSight(box, ROOM, 24)).toEqual(way));

test('what is larger than the room fills it, and stays where it does', () => {
  const large = { y: 24, width: 2000, height: 100 };
  expect(wayIntoSight({ ...large, x: 300 }, ROOM, 24)).toEqual({ x: -276, y: 0 });
  expect(wayIntoSight({ ...large, x: -1500 }, ROOM, 24)).toEqual({ x: 476, y: 0 });
  expect(wayIntoSight({ ...large, x: -500 }, ROOM, 24)).toEqual({ x: 0, y: 0 });
});
