import { expect, test } from 'vitest';
import type { OverviewCard } from './scene';
import { overviewCardAt, overviewCardsInside } from './usePicturePointer';

const card = (id: string, x: number, y: number): OverviewCard => ({
  id,
  box: { x, y, width: 200, height: 60 },
  name: id,
  category: 'action',
  tone: undefined,
  isDisabled: false,
  hasIssues: false,
});
const CARDS = [card('a', 0, 0), card('b', 300, 0), card('c', 100, 30)];

test.each([
  [10, 10, 'a'],
  [500, 60, 'b'],
  [150, 40, 'c'],
  [250, 10, undefined],
  [10, 61, undefined],
])('at %d, %d is %s: of overlapping cards the one above', (x, y, id) =>
  expect(overviewCardAt(CARDS, x, y)?.id).toBe(id),
);

test('a rectangle contains the cards that lie inside it as a whole', () => {
  const within = (x: number, y: number, width: number, height: number) =>
    overviewCardsInside(CARDS, { x, y, width, height }).map(({ id }) => id);
  expect(within(0, 0, 500, 60)).toEqual(['a', 'b']);
  expect(within(-10, -10, 600, 200)).toEqual(['a', 'b', 'c']);
  expect(within(1, 0, 400, 100)).toEqual(['c']);
});
