import { expect, test } from 'vitest';
import { sumRunTotals } from './figures';

const bucket = (completed: number, failed: number, cancelled = 0) => ({
  at: '2026-01-01T00:00:00.000Z',
  completed,
  failed,
  cancelled,
  p50Ms: null,
  p95Ms: null,
});

test('totals leave cancelled runs out of the success rate', () => {
  expect(sumRunTotals([bucket(2, 1, 5), bucket(1, 0)])).toEqual({
    completed: 3,
    failed: 1,
    cancelled: 5,
    successRate: 0.75,
  });
  expect(sumRunTotals([bucket(0, 0, 1)]).successRate).toBeNull();
});
