import { expect, it } from 'vitest';
import { HighWaterMark } from './high-water-mark';

it('accepts every amount, and releases waiters one by one', async () => {
  const mark = new HighWaterMark(10);
  await mark.waitUntilBelow();
  mark.add(25);
  expect(mark.isFull).toBe(true);
  const order: number[] = [];
  const waiting = [1, 2].map(async (waiter) => {
    await mark.waitUntilBelow();
    order.push(waiter);
    await Promise.resolve();
    mark.add(20);
  });
  mark.remove(10);
  expect(mark.isFull).toBe(true);
  mark.remove(15);
  await waiting[0];
  // For the second waiter the mark is exceeded again.
  expect(order).toEqual([1]);
  mark.remove(20);
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
});
