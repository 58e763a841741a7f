import { expect, test } from 'vitest';
import { roundUpAxisTop, svgLinePath } from './chart-axis';

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [51, 100],
  [0.4, 0.5],
])('an axis for %d ends at %d', (value, top) => {
  expect(roundUpAxisTop(value)).toBeCloseTo(top);
});

test('a line is interrupted where a value is missing', () => {
  expect(svgLinePath([10, 5, null, 0], 10, 40, 20)).toBe('M5 0L15 10M33 20h4');
  expect(svgLinePath([], 1, 40, 20)).toBe('');
});
