import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { removeWorkspaces, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow, until } from '@/server/testing/runs';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startTarget, type Target } from '@/server/testing/servers/target';
import { recordDecision } from '../queue/requests';
import { MAX_TAKEOVER_MS } from '../worker';

useOwnDatabase();

const LIMIT_MS = 180_000;
const PATIENCE_MS = 30_000;

const workers: ServiceProcess[] = [];
const startWorker = async () => {
  const worker = await startWorkerProcess(getRuntime().env.databaseUrl ?? '');
  workers.push(worker);
  return worker;
};
async function kill(victim: ServiceProcess): Promise<void> {
  workers.splice(workers.indexOf(victim), 1);
  await victim.end('SIGKILL');
}

let target: Target;

beforeAll(async () => {
  target = await startTarget();
});
afterEach(async () => {
  await Promise.all(locks.splice(0).map((client) => client.end()));
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await removeWorkspaces();
  await prismaClient().worker.deleteMany();
  target.reset();
});
afterAll(() => target.close());

const call = (path: string, more: object = {}) => ({
  type: 'http_request',
  config: { url: `${target.url}${path}`, method: 'POST', body: {} },
  ...more,
});
const one = (path: string, more: object = {}) => flow({ s: { type: 'start' }, a: call(path, more) }, ['s>a']);

const locks: pg.Client[] = [];
/** Blocks all writes to the table until `release`. */
async function lock(table: string): Promise<{ blocked(query: string): Promise<number>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: getRuntime().env.databaseUrl });
  locks.push(client);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  return {
    /** The server process of a statement like this one that waits for the lock. */
    blocked: (query) =>
      until(async () => {
        const { rows } = await databasePool().query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
          [`%${query}%`],
        );
        return rows[0]?.pid;
      }, 'the statement'),
    release: () => client.end(),
  };
}

it(
  'runs survive the death of their worker while paused, waiting for a retry, a time or another run, in a loop, at an item, in a call, and inside a commit',
  async () => {
    target.hold('/call', '/once', '/loop/3', '/item/3', '/commit', '/child');
    target.failOnce('/retry');
    const worker = await startWorker();
    const body = { ...flow({ s: { type: 'start' }, x: call('/loop/{{ input.item }}') }, ['s>x']) };
    const each = { type: 'for_each', config: { items: '[1..4]', body } };
    const paused = await startRunOf(
      flow({ s: { type: 'start' }, p: { type: 'approval' }, y: call('/yes') }, ['s>p', 'p:approved>y']),
    );
    const retrying = await startRunOf(one('/retry', { retry: { maxAttempts: 2, backoffMs: 10_000 } }));
    const delay = { type: 'delay', config: { durationMs: 10_000 } };
    const delayed = await startRunOf(flow({ s: { type: 'start' }, delay, z: call('/late') }, ['s>delay', 'delay>z']));
    const child = await storeWorkflow(one('/child'));
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId } };
    const waiting = await startRun(
      await storeWorkflow(
        flow({ s: { type: 'start' }, sub, z: call('/parent') }, ['s>sub', 'sub>z']),
        child.workspaceId,
      ),
    );
    const looping = await startRunOf(flow({ s: { type: 'start' }, each }, ['s>each']));
    const items = { ...call('/item/{{ item }}'), each: { items: '[1..4]' } };
    const listing = await startRunOf(flow({ s: { type: 'start' }, items }, ['s>items']));
    const calling = await startRunOf(one('/call'));
    const committing = await startRunOf(one('/commit'));
    const doubtful = await startRunOf(one('/once', { repeatable: false }));
    await paused.reach('paused');
    await until(
      async () =>
        ['/retry', '/loop/3', '/item/3', '/call', '/once', '/commit', '/child'].every(
          (path) => target.countOf(path) === 1,
        ),
      'all calls',
    );
    for (const run of [retrying, delayed, waiting])
      await until(async () => (await run.read()).nodeResults[1]?.status === 'running', 'the wait');

    const results = await lock('node_result');
    target.letGo('/commit');
    await results.blocked('WITH alive AS MATERIALIZED');
    await kill(worker);
    // The statement in progress is committed although its worker is dead.
    await results.release();
    target.letGo('/call', '/once', '/loop/3', '/item/3', '/child');
    await startWorker();
    const decision = { nodeId: 'p', decision: 'approved', comment: null, decidedBy: 'ann' } as const;
    expect(await prismaClient().$transaction((db) => recordDecision(db, { ...paused, ...decision }))).toBe('decided');

    for (const run of [paused, retrying, delayed, waiting, looping, listing, calling, committing]) {
      await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    }
    await until(async () => (await doubtful.read()).status === 'failed', 'the run in doubt to fail', PATIENCE_MS);
    expect((await doubtful.read()).error).toMatchObject({ code: 'OUTCOME_UNKNOWN', nodeId: 'a' });
    expect(target.countOf('/once')).toBe(1);
    const counts = ['/yes', '/retry', '/loop/1', '/loop/2', '/loop/3', '/loop/4', '/call', '/commit'].map(
      target.countOf,
    );
    expect(counts).toEqual([1, 2, 1, 1, 2, 1, 2, 1]);
    expect([1, 2, 3, 4].map((item) => target.countOf(`/item/${item}`))).toEqual([1, 1, 2, 1]);
    const keys = target.calls.flatMap(({ path, key }) => (path === '/item/3' ? [key] : []));
    expect(new Set(keys)).toEqual(new Set([`${listing.executionId}:items[2]`]));
    expect(['/late', '/child', '/parent'].map(target.countOf)).toEqual([1, 2, 1]);
    // The receiver recognizes the repeated call by its idempotency key.
    expect(new Set(target.calls.filter(({ path }) => path === '/call').map(({ key }) => key)).size).toBe(1);
  },
  LIMIT_MS,
);

it(
  'a call whose result was lost before the commit is repeated with the same idempotency key',
  async () => {
    target.hold('/lost');
    const worker = await startWorker();
    const run = await startRunOf(one('/lost'));
    await until(async () => target.countOf('/lost') === 1, 'the call');
    const results = await lock('node_result');
    target.letGo('/lost');
    const pid = await results.blocked('WITH alive AS MATERIALIZED');
    await kill(worker);
    await prismaClient().$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    await results.release();
    await startWorker();
    await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    expect(new Set(target.calls.map(({ key }) => key))).toEqual(new Set([`${run.executionId}:a`]));
    expect(target.countOf('/lost')).toBe(2);
  },
  LIMIT_MS,
);

it('a run that a dying worker was about to claim is not lost', { tags: 'long' }, async () => {
  const worker = await startWorker();
  const claims = await lock('worker');
  const run = await startRunOf(one('/claimed'));
  await claims.blocked('WITH RECURSIVE alive');
  await kill(worker);
  await claims.release();
  await startWorker();
  await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
  expect(target.countOf('/claimed')).toBe(1);
});

it(
  'a worker that receives SIGTERM lets its call finish and releases the run',
  async () => {
    target.hold('/first');
    const stopping = await startWorker();
    const chain = flow({ s: { type: 'start' }, a: call('/first'), b: call('/second') }, ['s>a', 'a>b']);
    const run = await startRunOf(chain);
    await until(async () => target.countOf('/first') === 1, 'the call');
    workers.splice(workers.indexOf(stopping), 1);
    const ended = stopping.end('SIGTERM');
    await until(async () => stopping.output().includes('Stopping'), 'the worker to stop');
    target.letGo('/first');
    await ended;
    expect(stopping.output()).toContain('Stopped.');
    expect([target.countOf('/first'), target.countOf('/second'), (await run.read()).status]).toEqual([1, 0, 'running']);
    await startWorker();
    await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    expect([target.countOf('/first'), target.countOf('/second')]).toEqual([1, 1]);
  },
  LIMIT_MS,
);

it(
  'a run whose process is killed three times fails; a run that shared only the first process completes',
  { tags: 'long' },
  async () => {
    target.hold('/victim', '/neighbour');
    const first = await startWorker();
    const [victim, neighbour] = [await startRunOf(one('/victim')), await startRunOf(one('/neighbour'))];
    await until(async () => target.calls.length === 2, 'both calls');
    await kill(first);
    target.letGo('/neighbour');
    for (const times of [2, 3]) {
      const next = await startWorker();
      await until(async () => target.countOf('/victim') === times, `try ${times}`, PATIENCE_MS);
      // The process for runs that run alone dies with its parent.
      process.kill(next.pid, 'SIGKILL');
      await next.gone;
      workers.splice(0);
    }
    await startWorker();
    await until(async () => (await victim.read()).status === 'failed', 'the run to fail', PATIENCE_MS);
    expect((await victim.read()).error).toMatchObject({ code: 'CRASHED', nodeId: 'a' });
    await until(async () => (await neighbour.read()).status === 'completed', 'the other to complete', PATIENCE_MS);
    expect([target.countOf('/victim'), target.countOf('/neighbour')]).toEqual([3, 2]);
  },
);

it('the configured takeover time of a killed worker is below five seconds', () => {
  expect(MAX_TAKEOVER_MS).toBeLessThan(5000);
});
