import { expect, test } from 'vitest';
import { axisTop, linePath, totalsOf } from './figures';

const bucket = (completed: number, failed: number, cancelled = 0) => ({
  at: '2026-01-01T00:00:00.000Z',
  completed,
  failed,
  cancelled,
  p50Ms: null,
  p95Ms: null,
});

test('totals leave cancelled runs out of the success rate', () => {
  expect(totalsOf([bucket(2, 1, 5), bucket(1, 0)])).toEqual({
    completed: 3,
    failed: 1,
    cancelled: 5,
    successRate: 0.75,
  });
  expect(totalsOf([bucket(0, 0, 1)]).successRate).toBeNull();
});

test.each([
  [0, 1],
  [1, 1],
  [3, 5],
  [51, 100],
  [0.4, 0.5],
])('an axis for %d ends at %d', (value, top) => {
  expect(axisTop(value)).toBeCloseTo(top);
});

test('a line is interrupted where a value is missing', () => {
  expect(linePath([10, 5, null, 0], 10, 40, 20)).toBe('M5 0L15 10M33 20h4');
  expect(linePath([], 1, 40, 20)).toBe('');
});
