import { expect, it } from 'vitest';
import { Budget } from './budget';

it('lends as much as there is, in the order of asking', async () => {
  const budget = new Budget(10);
  const order: string[] = [];
  const ask = (name: string, bytes: number) =>
    budget.take(bytes).then((give) => {
      order.push(name);
      return give;
    });
  const [first, second, big, small] = [ask('first', 6), ask('second', 4), ask('big', 50), ask('small', 1)];
  const giveFirst = await first;
  const giveSecond = await second;
  giveFirst();
  giveFirst();
  await Promise.resolve();
  expect(order).toEqual(['first', 'second']);
  giveSecond();
  (await big)();
  await small;
  expect(order).toEqual(['first', 'second', 'big', 'small']);
});
