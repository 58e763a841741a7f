import { beforeEach, expect, test } from 'vitest';
import { useDatabase } from '../testing/database';
import { runtime } from '../runtime';
import { take } from './token-bucket';

useDatabase();
beforeEach(() => runtime().buckets?.clear());

const NOW = 1_800_000_000_000;

test('a fresh bucket holds the burst of its tier and names its limit', () => {
  expect(take('w', 'free', NOW)).toEqual({
    isAllowed: true,
    limit: 60,
    remaining: 99,
    resetAt: NOW / 1000 + 1,
    retryAfter: 0,
  });
});

test('after the burst requests are refused until a token has grown back', () => {
  for (let i = 0; i < 100; i++) expect(take('w', 'free', NOW).isAllowed).toBe(true);
  expect(take('w', 'free', NOW)).toMatchObject({
    isAllowed: false,
    remaining: 0,
    retryAfter: 1,
    resetAt: NOW / 1000 + 100,
  });
  expect(take('w', 'free', NOW + 999).isAllowed).toBe(false);
  expect(take('w', 'free', NOW + 1000).isAllowed).toBe(true);
});

test('waiting until the reset fills the bucket, and not more', () => {
  for (let i = 0; i < 50; i++) take('w', 'free', NOW);
  const { resetAt } = take('w', 'free', NOW);
  expect(take('w', 'free', resetAt * 1000).remaining).toBe(99);
  expect(take('w', 'free', NOW + 86_400_000).remaining).toBe(99);
});

test('buckets do not share', () => {
  for (let i = 0; i < 101; i++) take('a', 'free', NOW);
  expect(take('b', 'free', NOW).isAllowed).toBe(true);
});

test('a clock that steps back takes no tokens away', () => {
  take('w', 'free', NOW);
  expect(take('w', 'free', NOW - 60_000).remaining).toBe(98);
});

test('memory stays bounded under a flood of addresses', () => {
  for (let i = 0; i < 20_000; i++) take(`address:${i}`, 'free', NOW + i);
  expect(runtime().buckets!.size).toBeLessThanOrEqual(10_000);
});

test('unlimited shows a million', () => {
  expect(take('w', 'unlimited', NOW)).toMatchObject({ limit: 1_000_000, isAllowed: true });
});
