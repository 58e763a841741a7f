import { setImmediate as breathe } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Budget } from './budget';

function asking(total: number) {
  const budget = new Budget(total);
  const order: string[] = [];
  const ask = (owner: string, name: string, bytes: number) =>
    budget.take(owner, bytes).then((give) => {
      order.push(name);
      return give;
    });
  return { order, ask };
}

it('lends as much as there is, in the order of asking', async () => {
  const { order, ask } = asking(12);
  const [first, second] = [ask('ann', 'first', 7), ask('ben', 'second', 4)];
  const [big, small] = [ask('cleo', 'big', 5), ask('dan', 'small', 1)];
  const [giveFirst, giveSecond] = await Promise.all([first, second]);
  giveSecond();
  giveSecond();
  await breathe();
  expect(order).toEqual(['first', 'second', 'big']);
  giveFirst();
  (await big)();
  await small;
  expect(order).toEqual(['first', 'second', 'big', 'small']);
});

it('leaves something for others, whatever one owner asks for', async () => {
  const { order, ask } = asking(12);
  const give = await ask('ann', 'all', 50);
  const more = ask('ann', 'more', 1);
  await ask('ben', 'other', 3);
  expect(order).toEqual(['all', 'other']);
  give();
  await more;
});
