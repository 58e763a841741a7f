import { afterEach, beforeEach, expect, it } from 'vitest';
import { getRuntime } from '@/server/platform/runtime';
import { useOwnDatabase } from '@/server/testing/database';
import { SerialConnectPool } from './frugal-pool';

useOwnDatabase();

let pool: SerialConnectPool;

beforeEach(() => {
  pool = new SerialConnectPool({
    connectionString: getRuntime().env.databaseUrl,
    max: 3,
    connectionTimeoutMillis: 10_000,
  });
});
afterEach(() => pool.end());

it('opens one connection at a time, as long as there are callers who hold theirs', async () => {
  const callers = Array.from({ length: 4 }, () => pool.connect());
  expect([pool.totalCount, pool.waitingCount]).toEqual([1, 0]);
  const held = await Promise.all(callers.slice(0, 3));
  expect([pool.totalCount, pool.waitingCount]).toEqual([3, 1]);
  held[0]?.release();
  const last = await callers[3];
  expect(last).toBe(held[0]);
  for (const client of [last, ...held.slice(1)]) client?.release();
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 3]);
});

it('passes on a connection that comes free while another one is opened', async () => {
  const first = await pool.connect();
  const given: string[] = [];
  const [second, third] = ['second', 'third'].map(async (name) => {
    const client = await pool.connect();
    given.push(name);
    return client;
  });
  first.release();
  expect(await third).toBe(first);
  (await second)?.release();
  first.release();
  expect(given).toEqual(['third', 'second']);
  expect(pool.totalCount).toBe(2);
});

it('opens another connection although an idle one was there for the first of two callers', async () => {
  (await pool.connect()).release();
  const [one, other] = await Promise.all([pool.connect(), pool.connect()]);
  expect(pool.totalCount).toBe(2);
  for (const client of [one, other]) client.release();
});

it('statements of a burst are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => pool.query<{ n: number }>('SELECT $1::int AS n', [n])),
  );
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

it('a failure to connect is the failure of all who wait', async () => {
  const nowhere = new SerialConnectPool({ connectionString: 'postgresql://weft:x@127.0.0.1:1/weft', max: 3 });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => nowhere.query('SELECT 1')));
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  await nowhere.end();
});
