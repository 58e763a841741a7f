import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairSemaphore } from './fair-semaphore';

function semaphoreOf(total: number) {
  const semaphore = new FairSemaphore(total);
  const order: string[] = [];
  const take = (owner: string, name: string, bytes: number) =>
    semaphore.acquire(owner, bytes).then((release) => {
      order.push(name);
      return release;
    });
  return { order, take };
}

it('grants requests up to the total, in FIFO order', async () => {
  const { order, take } = semaphoreOf(12);
  const [first, second] = [take('ann', 'first', 7), take('ben', 'second', 4)];
  const [big, small] = [take('cleo', 'big', 5), take('dan', 'small', 1)];
  const [releaseFirst, releaseSecond] = await Promise.all([first, second]);
  releaseSecond();
  releaseSecond();
  await nextTurn();
  expect(order).toEqual(['first', 'second', 'big']);
  releaseFirst();
  (await big)();
  await small;
  expect(order).toEqual(['first', 'second', 'big', 'small']);
});

it('limits one owner to its share', async () => {
  const { order, take } = semaphoreOf(12);
  const release = await take('ann', 'all', 50);
  const more = take('ann', 'more', 1);
  await take('ben', 'other', 3);
  expect(order).toEqual(['all', 'other']);
  release();
  await more;
});
