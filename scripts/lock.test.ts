import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gaps } from './complete-lock.mjs';

test('the lock has the packages of every platform, so that each npm accepts it (npm run lock:complete adds them)', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Parameters<typeof gaps>[0];
  };
  expect(gaps(packages).map(({ name }) => name)).toEqual([]);
});
