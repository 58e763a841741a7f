import { expect, it } from 'vitest';
import { Backlog } from './backlog';

it('takes whatever comes, and lets go of those who ask one by one', async () => {
  const backlog = new Backlog(10);
  await backlog.room();
  backlog.add(25);
  expect(backlog.isFull).toBe(true);
  const order: number[] = [];
  const waiting = [1, 2].map(async (place) => {
    await backlog.room();
    order.push(place);
    await Promise.resolve();
    backlog.add(20);
  });
  backlog.remove(10);
  expect(backlog.isFull).toBe(true);
  backlog.remove(15);
  await waiting[0];
  // The other one finds it full again.
  expect(order).toEqual([1]);
  backlog.remove(20);
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
});
