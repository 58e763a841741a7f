import { expect, test } from 'vitest';
import { panAfterResize, panIntoView, visibleShare, selectFirstBoxes } from './viewport';

const VIEW_SIZE = { width: 1000, height: 500 };
const at = (x: number, y: number) => ({ x, y, width: 200, height: 100 });

test.each([
  ['in the middle', at(400, 200), 1],
  ['half beyond the right edge', at(900, 200), 0.5],
  ['a quarter in the upper left corner', at(-100, -50), 0.25],
  ['far away', at(2000, 200), 0],
])('visible share of a box %s', (_, box, share) => expect(visibleShare(box, VIEW_SIZE)).toBe(share));

test.each([
  ['a fully visible box stays', at(400, 200), { x: 0, y: 0 }],
  ['beyond the right edge', at(900, 200), { x: -124, y: 0 }],
  ['beyond the upper left corner', at(-100, -50), { x: 124, y: 74 }],
  ['far away, by the shortest pan', at(-3000, 3000), { x: 3024, y: -2624 }],
])('%s', (_, box, way) => expect(panIntoView(box, VIEW_SIZE, 24)).toEqual(way));

test('a box larger than the view fills it, and stays if it does already', () => {
  const large = { y: 24, width: 2000, height: 100 };
  expect(panIntoView({ ...large, x: 300 }, VIEW_SIZE, 24)).toEqual({ x: -276, y: 0 });
  expect(panIntoView({ ...large, x: -1500 }, VIEW_SIZE, 24)).toEqual({ x: 476, y: 0 });
  expect(panIntoView({ ...large, x: -500 }, VIEW_SIZE, 24)).toEqual({ x: 0, y: 0 });
});

test.each([
  ['one that stays visible', [at(100, 50), at(100, 350)], { x: 0, y: 0 }],
  ['one that is hidden', [at(100, 350)], { x: 0, y: -274 }],
  ['two that are hidden, and one that was not visible', [at(100, 350), at(400, 330), at(100, 900)], { x: 0, y: -274 }],
  ['none that was visible', [at(100, 900)], { x: 0, y: 0 }],
])('a view that becomes lower shows %s', (_, boxes, way) => {
  const sizes = [VIEW_SIZE, { width: 1000, height: 200 }] as const;
  expect(panAfterResize(boxes, sizes, { enough: 0.5, margin: 24 })).toEqual(way);
});

test('a canvas opens with the whole graph if it can be read, otherwise with its begin', () => {
  const row = [0, 300, 600, 900, 1200].map((x) => ({ x, y: 0, width: 236, height: 58 }));
  const select = (boxes: typeof row, width: number) =>
    selectFirstBoxes(boxes, { width, height: 600 }, { minZoom: 0.65, margin: 48 }).map(({ x }) => x);
  expect(select(row, 1440)).toEqual([0, 300, 600, 900, 1200]);
  expect(select(row, 700)).toEqual([0, 300, 600]);
  expect(select([...row].reverse(), 375)).toEqual([0]);
  expect(select([...row, { x: 300, y: 5000, width: 236, height: 58 }], 1440)).toEqual([0, 300, 600, 900, 1200]);
  expect(select([], 375)).toEqual([]);
});
