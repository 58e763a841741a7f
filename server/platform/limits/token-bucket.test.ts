import { expect, test } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { unique } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { TokenBuckets } from './token-bucket';
import { leaseTokens } from './bucket-lease';

useDatabase();

const NOW = 1_800_000_000_000;

/** The buckets of one process, whose clock stands still unless a test moves it. */
function newProcess() {
  let now = NOW;
  let leases = 0;
  const lease: typeof leaseTokens = (...asked) => ((leases += 1), leaseTokens(...asked));
  const buckets = new TokenBuckets(lease, () => now);
  return { buckets, at: (time: number) => (now = time), leases: () => leases };
}

const takeAll = async (buckets: TokenBuckets, name: string, times: number) => {
  let allowed = 0;
  for (let i = 0; i < times; i++) allowed += Number((await buckets.take(name, 'free')).isAllowed);
  return allowed;
};

/** Moves the time of the row, not of the processes. */
const age = (name: string, seconds: number) => prismaClient().$executeRaw`
  UPDATE rate_bucket SET updated_at = updated_at - ${seconds} * interval '1 second',
    leased_until = leased_until - ${seconds} * interval '1 second' WHERE name = ${name}`;

test('a fresh bucket holds the burst of its tier and reports its limit', async () => {
  expect(await newProcess().buckets.take(unique('w'), 'free')).toEqual({
    isAllowed: true,
    limit: 60,
    burst: 100,
    remaining: 99,
    resetAt: NOW / 1000 + 1,
    retryAfter: 0,
  });
});

test('after the burst requests are refused until a token has been refilled', async () => {
  const name = unique('w');
  const { buckets, at } = newProcess();
  for (let i = 0; i < 100; i++)
    expect(await buckets.take(name, 'free')).toMatchObject({ isAllowed: true, remaining: 99 - i });
  expect(await buckets.take(name, 'free')).toMatchObject({
    isAllowed: false,
    remaining: 0,
    retryAfter: 1,
    resetAt: NOW / 1000 + 100,
  });
  at(NOW + 999);
  expect((await buckets.take(name, 'free')).isAllowed).toBe(false);
  at(NOW + 1000);
  expect((await buckets.take(name, 'free')).isAllowed).toBe(true);
});

test('a reserve is left to requests without one', async () => {
  const name = unique('w');
  const { buckets, at } = newProcess();
  for (let i = 0; i < 75; i++) expect((await buckets.take(name, 'free', 25)).isAllowed).toBe(true);
  expect(await buckets.take(name, 'free', 25)).toMatchObject({ isAllowed: false, remaining: 25, retryAfter: 1 });
  expect(await takeAll(buckets, name, 20)).toBe(20);
  expect(await buckets.take(name, 'free', 25)).toMatchObject({ isAllowed: false, remaining: 5, retryAfter: 21 });
  at(NOW + 21_000);
  expect((await buckets.take(name, 'free', 25)).isAllowed).toBe(true);
  expect((await buckets.take(name, 'free', 25)).isAllowed).toBe(false);
});

test('waiting until the reset fills the bucket, and not more', async () => {
  const name = unique('w');
  const { buckets, at } = newProcess();
  await takeAll(buckets, name, 50);
  const { resetAt } = await buckets.take(name, 'free');
  at(resetAt * 1000);
  expect((await buckets.take(name, 'free')).remaining).toBe(99);
  at(NOW + 86_400_000);
  expect((await buckets.take(name, 'free')).remaining).toBe(99);
});

test('time that passes while tokens are leased counts once', async () => {
  const name = unique('w');
  const { buckets, at } = newProcess();
  await takeAll(buckets, name, 60);
  for (let second = 1; second <= 30; second++) {
    at(NOW + second * 1000);
    await buckets.take(name, 'free');
  }
  expect(await takeAll(buckets, name, 100)).toBe(40);
});

test('buckets are independent', async () => {
  const { buckets } = newProcess();
  const name = unique('a');
  await takeAll(buckets, name, 101);
  expect((await buckets.take(unique('b'), 'free')).isAllowed).toBe(true);
});

test('a clock that steps back takes no tokens away', async () => {
  const name = unique('w');
  const { buckets, at } = newProcess();
  await buckets.take(name, 'free');
  at(NOW - 60_000);
  expect((await buckets.take(name, 'free')).remaining).toBe(98);
});

test('most requests and refusals need no query', async () => {
  const name = unique('w');
  const { buckets, leases } = newProcess();
  await takeAll(buckets, name, 50);
  expect(leases()).toBeLessThan(10);
  await takeAll(buckets, name, 51);
  const before = leases();
  await takeAll(buckets, name, 500);
  expect(leases()).toBe(before);
});

test('several processes together never allow more than one process would', async () => {
  const name = unique('w');
  const processes = [newProcess(), newProcess(), newProcess(), newProcess()];
  const counts = await Promise.all(processes.map(({ buckets }) => takeAll(buckets, name, 100)));
  const allowed = counts.reduce((sum, count) => sum + count);
  // A few tokens may be refilled while the test runs, by the clock of the database.
  expect(allowed).toBeGreaterThanOrEqual(100);
  expect(allowed).toBeLessThanOrEqual(100 + 20);
});

test('tokens that one process leases and does not spend return to the others', async () => {
  const name = unique('w');
  const [one, other] = [newProcess(), newProcess()];
  await one.buckets.take(name, 'free');
  const held = await takeAll(other.buckets, name, 200);
  expect(held).toBeLessThanOrEqual(99);
  one.at(NOW + 2000);
  other.at(NOW + 2000);
  expect((await takeAll(one.buckets, name, 200)) + held).toBeGreaterThanOrEqual(99);
});

test('processes that lease little and often are never refused while tokens are left', async () => {
  const name = unique('w');
  const processes = [...Array(6).keys()].map(newProcess);
  // Each lets its leases expire repeatedly.
  for (let round = 1; round <= 15; round++) {
    for (const { buckets, at } of processes) {
      at(NOW + round * 1000);
      expect((await buckets.take(name, 'free')).isAllowed).toBe(true);
    }
  }
});

test('a new process finds the bucket as the others left it', async () => {
  const name = unique('w');
  await takeAll(newProcess().buckets, name, 100);
  expect((await newProcess().buckets.take(name, 'free')).isAllowed).toBe(false);
  await age(name, 50);
  expect((await newProcess().buckets.take(name, 'free')).remaining).toBeGreaterThanOrEqual(49);
  await age(name, 3600);
  expect((await newProcess().buckets.take(name, 'free')).remaining).toBe(99);
});

test('a hundred concurrent requests are counted exactly', async () => {
  const name = unique('w');
  const { buckets } = newProcess();
  const all = await Promise.all([...Array(150).keys()].map(() => buckets.take(name, 'free')));
  expect(all.filter(({ isAllowed }) => isAllowed)).toHaveLength(100);
});

test('without the database a process counts alone', async () => {
  const lost = new TokenBuckets(
    () =>
      Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })),
    () => NOW,
  );
  expect(await takeAll(lost, 'w', 150)).toBe(100);
});

test('memory stays bounded under a flood of addresses', async () => {
  const { buckets } = newProcess();
  for (let i = 0; i < 20_000; i++) await buckets.take(`address:${i}`, 'unlimited');
  expect(buckets.size).toBeLessThanOrEqual(10_000);
});

test('unlimited reports a million and keeps no row', async () => {
  const name = unique('w');
  const { buckets, leases } = newProcess();
  expect(await buckets.take(name, 'unlimited')).toMatchObject({ limit: 1_000_000, isAllowed: true });
  expect(leases()).toBe(0);
});

test('an unlimited bucket is never empty', async () => {
  const { buckets, at } = newProcess();
  const name = unique('w');
  for (let minute = 0; minute < 3; minute++) {
    at(NOW + minute * 60_000);
    expect((await buckets.take(name, 'unlimited')).isAllowed).toBe(true);
  }
});
