import { expect, test } from 'vitest';
import { CallRateMeter } from './call-rate';

test('calls count for their second and the next', () => {
  let now = 500;
  const rate = new CallRateMeter(() => now);
  expect(rate.perSecond).toBe(0);
  for (let call = 0; call < 3; call += 1) rate.note();
  expect(rate.perSecond).toBe(3);
  now = 1100;
  rate.note();
  expect(rate.perSecond).toBe(3);
  now = 2000;
  expect(rate.perSecond).toBe(1);
  now = 3000;
  expect(rate.perSecond).toBe(0);
});
