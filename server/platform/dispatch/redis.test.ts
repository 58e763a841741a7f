import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime, setRuntime } from '@/server/platform/runtime';
import { startWorker, type EngineWorker } from '@/server/engine/worker';
import { freshDatabase, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRedis, type RedisServer } from '@/server/testing/servers/redis';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until } from '@/server/testing/runs';
import { startWorkerProcess } from '@/server/testing/processes/service';
import { createRedisDispatcher } from './redis';
import { WakeTokenQueue } from './redis-queue';
import type { FleetDispatcher } from './events';

useOwnDatabase();

const LIMIT_MS = 60_000;
const one = flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']);
const nap = flow({ s: { type: 'start' }, d: { type: 'delay', config: { durationMs: 2000 } } }, ['s>d']);

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.remove());

describe('a token', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each.close();
  });

  async function tokens(name: string): Promise<WakeTokenQueue> {
    const hasty = new Redis(redis.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    const patient = new Redis(redis.url, { maxRetriesPerRequest: null });
    await until(async () => hasty.status === 'ready', 'Redis');
    const made = new WakeTokenQueue(name, {
      failFast: hasty,
      blocking: patient,
      // On a machine that stalls, a token loses its lock and is delivered again: an error that throws would end its
      // taker.
      onLost: () => undefined,
    });
    open.push({
      async close() {
        await made.close();
        for (const each of [hasty, patient]) each.disconnect();
      },
    });
    return made;
  }

  it('wakes one process, not all, and each time again', async () => {
    const heard: number[] = [];
    for (const taker of [1, 2, 3]) open.push(await (await tokens('one')).take(() => heard.push(taker)));
    const offers = await tokens('one');
    for (let n = 1; n <= 20; n += 1) {
      offers.offer();
      await until(async () => heard.length === n, `token ${n}`);
    }
    expect(heard).toHaveLength(20);
  });

  it('is coalesced with other requests until it is taken', async () => {
    const offers = await tokens('many');
    for (let n = 0; n < 100; n += 1) offers.offer();
    await until(async () => (await redis.client.llen('{weft}:many:wait')) > 0, 'the token');
    expect(await redis.client.llen('{weft}:many:wait')).toBe(1);
  });

  it('for a future moment is one, and arrives then', async () => {
    const at = new Date(Date.now() + 400);
    const heard: number[] = [];
    for (const taker of [1, 2]) open.push(await (await tokens('then')).take(() => heard.push(taker)));
    const offers = await tokens('then');
    for (let n = 0; n < 10; n += 1) offers.offer(at);
    await until(async () => heard.length > 0, 'the moment');
    expect(Date.now()).toBeGreaterThanOrEqual(at.getTime());
    offers.offer();
    await until(async () => heard.length > 1, 'the next token');
    expect(heard).toHaveLength(2);
  });

  it('is not requested by a full process', async () => {
    const held = gate();
    const heard: string[] = [];
    open.push(
      await (
        await tokens('room')
      ).pollWhileHeld(
        async () => heard.push('full') < 0,
        () => held.opened,
      ),
    );
    open.push(await (await tokens('room')).take(() => heard.push('free')));
    const offers = await tokens('room');
    for (let n = 1; n <= 5; n += 1) {
      offers.offer();
      await until(async () => heard.length === n, `token ${n}`);
    }
    held.open();
    expect(new Set(heard)).toEqual(new Set(['free']));
  });

  it('is kept while its holder finds work each time, and later requests are served as well', async () => {
    const waiting = ['a', 'b', 'c'];
    const found: string[] = [];
    const others: string[] = [];
    const look = async (taken: string[]) => {
      const one = waiting.shift();
      if (one) taken.push(one);
      return one !== undefined;
    };
    const room = async () => undefined;
    open.push(await (await tokens('kept')).pollWhileHeld(() => look(found), room));
    const offers = await tokens('kept');
    offers.offer();
    await until(async () => found.length > 0, 'the first look');
    open.push(await (await tokens('kept')).pollWhileHeld(() => look(others), room));
    offers.offer();
    await until(async () => waiting.length === 0, 'everything to be taken');
    expect([found, others]).toEqual([['a', 'b', 'c'], []]);
    // The token was returned: a new request reaches a process.
    waiting.push('d');
    offers.offer();
    await until(async () => waiting.length === 0, 'the next token');
  });

  it('is passed on when its holder closes', async () => {
    const held = gate();
    let looks = 0;
    let heard = 0;
    const leaving = await (
      await tokens('leaving')
    ).pollWhileHeld(
      async () => {
        looks += 1;
        await held.opened;
        return false;
      },
      async () => undefined,
    );
    const offers = await tokens('leaving');
    offers.offer();
    await until(async () => looks > 0, 'the first look');
    open.push(await (await tokens('leaving')).take(() => (heard += 1)));
    // Requested while the token is kept: no second token is created.
    offers.offer();
    const closed = leaving.close();
    held.open();
    await closed;
    await until(async () => heard > 0, 'the other one to hear of it');
  });
});

describe('the row is the truth', () => {
  let dispatcher: FleetDispatcher;
  let worker: EngineWorker;
  beforeAll(async () => {
    dispatcher = createRedisDispatcher(redis.url);
    setRuntime({ ...getRuntime(), dispatcher });
    worker = await startWorker({ concurrency: 5, kinds: testKinds(async () => 'done').kinds });
  });
  afterEach(() => prismaClient().workspace.deleteMany());
  afterAll(async () => {
    await worker.stop();
    setRuntime({ ...getRuntime(), dispatcher: undefined });
    await dispatcher.close();
  });

  it('a flushed Redis loses no runs, neither waiting nor sleeping ones', async () => {
    const workflows = [await storeWorkflow(one), await storeWorkflow(nap)];
    const runs = [];
    for (let n = 0; n < 60; n += 1) {
      runs.push(await startRun(workflows[n % 2]!));
      if (n % 10 === 0) await redis.client.flushall();
    }
    await redis.client.flushall();
    for (const run of runs) expect((await run.finish()).status).toBe('completed');
  });

  it(
    'runs continue while Redis is down, and after it is back',
    async () => {
      const sleeping = await startRunOf(nap);
      await redis.kill();
      const meanwhile = await startRunOf(one);
      expect((await meanwhile.finish()).output).toBe('done');
      expect((await sleeping.finish()).status).toBe('completed');
      await redis.start();
      for (let n = 0; n < 3; n += 1) expect((await (await startRunOf(one)).finish()).output).toBe('done');
    },
    LIMIT_MS,
  );
});

it(
  'the service starts, works and stops in order without a reachable Redis',
  async () => {
    const database = await freshDatabase();
    const more = { REDIS_URL: 'redis://127.0.0.1:1' };
    const service = await startWorkerProcess(database.url, more);
    await service.end('SIGTERM');
    expect(service.output()).toContain('Stopped.');
    await database.drop();
  },
  LIMIT_MS,
);
