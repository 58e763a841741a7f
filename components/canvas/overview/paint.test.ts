import { expect, test } from 'vitest';
import { pictureScale, wrapCardName } from './paint';

/** A font whose characters are all ten wide. */
const measure = (text: string) => text.length * 10;

test.each([
  ['Start', 100, 1, ['Start']],
  ['Send the invoice', 100, 1, ['Send the…']],
  ['Send the invoice', 100, 2, ['Send the', 'invoice']],
  ['Send the invoice to accounting', 100, 2, ['Send the', 'invoice t…']],
  ['Straßenverkehrsordnung', 100, 2, ['Straßenver', 'kehrsordn…']],
  ['x', 5, 1, ['x']],
  ['', 100, 2, []],
])('%j in a width of %i and %i lines', (text, width, lines, expected) =>
  expect(wrapCardName(text, width, lines, measure)).toEqual(expected),
);

test('a picture has the scale of the screen', () =>
  expect(pictureScale({ width: 12_000, height: 6500 }, 0.1)).toBe(0.1));

test('a picture that would be too large has a lower scale', () => {
  const wide = pictureScale({ width: 100_000, height: 100 }, 1);
  expect(wide * 100_000).toBeCloseTo(8192);
  const square = pictureScale({ width: 50_000, height: 50_000 }, 0.4);
  expect((square * 50_000) ** 2).toBeCloseTo(16_000_000);
});
