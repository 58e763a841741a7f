import { expect, it } from 'vitest';
import { gate, until } from '@/server/testing/runs';
import { repeatAction } from './repeat';

const HOUR_MS = 3_600_000;

it('coalesces simultaneous calls into one round, and calls during a round into one more', async () => {
  const first = gate();
  let rounds = 0;
  const loop = repeatAction(
    async () => {
      rounds += 1;
      if (rounds === 1) await first.opened;
    },
    HOUR_MS,
    () => {},
  );
  for (let n = 0; n < 5; n += 1) loop.wake();
  await until(async () => rounds === 1, 'the first round');
  for (let n = 0; n < 5; n += 1) loop.wake();
  first.open();
  await until(async () => rounds === 2, 'the second round');
  await loop.stop();
  loop.wake();
  expect(rounds).toBe(2);
});

it('continues after a failure, and stops only after the round in progress', async () => {
  const errors: unknown[] = [];
  const last = gate();
  let rounds = 0;
  let isDone = false;
  const loop = repeatAction(
    async () => {
      rounds += 1;
      if (rounds === 1) throw new Error('once');
      await last.opened;
      isDone = true;
    },
    1,
    (error) => errors.push(error),
  );
  loop.wake();
  await until(async () => rounds === 2, 'the second round');
  const stopped = loop.stop();
  last.open();
  await stopped;
  expect([isDone, errors.length]).toEqual([true, 1]);
});
