import { expect, test } from 'vitest';
import { findGrowth } from './growth';

/** Work in steps of less than a millisecond, so that only its sum grows. */
async function stepByStep(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    compute(50_000);
    if (step % 8 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

function compute(rounds: number): number {
  let value = 1;
  for (let round = 0; round < rounds; round += 1) value = (value * 31 + round) % 65_521;
  return value;
}

const input = (work: (size: number) => Promise<unknown>) => ({
  name: 'an input',
  largest: 640,
  prepare: (size: number) => () => work(size),
});

test('work that grows with its input passes', async () => {
  expect(await findGrowth(input((size) => stepByStep(size)))).toBeUndefined();
});

test('work that grows with the square of its input is found, also if it lets others have their turn', async () => {
  expect(await findGrowth(input((size) => stepByStep((size * size) / 1000)))).toMatch(/grows faster/);
});

test('a name list that is searched for each name is found', async () => {
  const searched = {
    name: 'names',
    largest: 8000,
    prepare: (size: number) => {
      const names = Array.from({ length: size }, (_, at) => `name${at}`);
      return async () => names.filter((name, at) => names.indexOf(name) !== at);
    },
  };
  expect(await findGrowth(searched)).toMatch(/nobody else is answered/);
});

test('one long stretch is found, however it grows', async () => {
  expect(await findGrowth(input(async (size) => compute(size * 20_000)))).toMatch(/nobody else is answered/);
});

test('an input that fails is found', async () => {
  const broken = input(() => Promise.reject(new Error('the connection was closed')));
  expect(await findGrowth(broken)).toBe('an input: the connection was closed');
});
