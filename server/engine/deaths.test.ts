import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { pool, prisma } from '../db/client';
import { runtime } from '../runtime';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { startRun, startRunOf, storeWorkflow, until } from '../testing/runs';
import { startWorkerProcess, type ServiceProcess } from '../testing/service-process';
import { startTarget, type Target } from '../testing/target';
import { MAX_CLAIMS } from './endings';
import { decide } from './requests';
import { TAKEOVER_MS } from './worker';

useDatabase();

const LIMIT_MS = 90_000;
const PATIENCE_MS = 30_000;

const workers: ServiceProcess[] = [];
const startWorker = async () => {
  const worker = await startWorkerProcess(runtime().env.databaseUrl ?? '');
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
  await prisma().workspace.deleteMany();
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
/** Holds everybody else off the table until `release`. */
async function lock(table: string): Promise<{ blocked(query: string): Promise<number>; release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: runtime().env.databaseUrl });
  locks.push(client);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  return {
    /** The server process of a statement like this one that waits for the lock. */
    blocked: (query) =>
      until(async () => {
        const { rows } = await pool().query<{ pid: number }>(
          `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1 AND datname = current_database()`,
          [`%${query}%`],
        );
        return rows[0]?.pid;
      }, 'the statement'),
    release: () => client.end(),
  };
}

it(
  'a worker may die while its runs are paused, wait for a retry, a time or another run, are in a loop, in a call, and inside a commit',
  async () => {
    target.hold('/call', '/once', '/loop/3', '/commit', '/child');
    target.failOnce('/retry');
    const worker = await startWorker();
    const body = { ...flow({ s: { type: 'start' }, x: call('/loop/{{ input.item }}') }, ['s>x']) };
    const each = { type: 'for_each', config: { items: '[1..4]', body } };
    const paused = await startRunOf(
      flow({ s: { type: 'start' }, p: { type: 'approval' }, y: call('/yes') }, ['s>p', 'p:approved>y']),
    );
    const retrying = await startRunOf(one('/retry', { retry: { maxAttempts: 2, backoffMs: 3000 } }));
    const delay = { type: 'delay', config: { durationMs: 3000 } };
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
    const calling = await startRunOf(one('/call'));
    const committing = await startRunOf(one('/commit'));
    const doubtful = await startRunOf(one('/once', { repeatable: false }));
    await paused.reach('paused');
    await until(
      async () =>
        ['/retry', '/loop/3', '/call', '/once', '/commit', '/child'].every((path) => target.countOf(path) === 1),
      'all calls',
    );
    for (const run of [retrying, delayed, waiting])
      await until(async () => (await run.read()).nodeResults[1]?.status === 'running', 'the wait');

    const results = await lock('node_result');
    target.letGo('/commit');
    await results.blocked('WITH alive AS MATERIALIZED');
    await kill(worker);
    // What was on its way to the database is committed, though nobody is there to hear of it.
    await results.release();
    target.letGo('/call', '/once', '/loop/3', '/child');
    await startWorker();
    const decision = { nodeId: 'p', decision: 'approved', comment: null, decidedBy: 'ann' } as const;
    expect(await prisma().$transaction((db) => decide(db, { ...paused, ...decision }))).toBe('decided');

    for (const run of [paused, retrying, delayed, waiting, looping, calling, committing]) {
      await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    }
    await until(async () => (await doubtful.read()).status === 'failed', 'the run in doubt to fail', PATIENCE_MS);
    expect((await doubtful.read()).error).toMatchObject({ code: 'OUTCOME_UNKNOWN', nodeId: 'a' });
    expect(target.countOf('/once')).toBe(1);
    const counts = ['/yes', '/retry', '/loop/1', '/loop/2', '/loop/3', '/loop/4', '/call', '/commit'].map(
      target.countOf,
    );
    expect(counts).toEqual([1, 2, 1, 1, 2, 1, 2, 1]);
    expect(['/late', '/child', '/parent'].map(target.countOf)).toEqual([1, 2, 1]);
    // Whoever is called again can tell.
    expect(new Set(target.calls.filter(({ path }) => path === '/call').map(({ key }) => key)).size).toBe(1);
  },
  LIMIT_MS,
);

it(
  'a result that died with its worker before the commit is fetched again, under the same key',
  async () => {
    target.hold('/lost');
    const worker = await startWorker();
    const run = await startRunOf(one('/lost'));
    await until(async () => target.countOf('/lost') === 1, 'the call');
    const results = await lock('node_result');
    target.letGo('/lost');
    const pid = await results.blocked('WITH alive AS MATERIALIZED');
    await kill(worker);
    await prisma().$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
    await results.release();
    await startWorker();
    await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    expect(new Set(target.calls.map(({ key }) => key))).toEqual(new Set([`${run.executionId}:a`]));
    expect(target.countOf('/lost')).toBe(2);
  },
  LIMIT_MS,
);

it(
  'a run that a worker was just about to claim is nobody else’s loss',
  async () => {
    const worker = await startWorker();
    const claims = await lock('worker');
    const run = await startRunOf(one('/claimed'));
    await claims.blocked('WITH RECURSIVE turn');
    await kill(worker);
    await claims.release();
    await startWorker();
    await until(async () => (await run.read()).status === 'completed', 'the run to complete', PATIENCE_MS);
    expect(target.countOf('/claimed')).toBe(1);
  },
  LIMIT_MS,
);

it(
  'a worker that is told to stop lets its call finish and hands the rest over',
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
  'a run that kills every worker that has it is given up, and the others come to their ends',
  async () => {
    target.hold('/poison', '/patient');
    const first = await startWorker();
    const [poison, patient] = [await startRunOf(one('/poison')), await startRunOf(one('/patient'))];
    await until(async () => target.countOf('/poison') + target.countOf('/patient') === 2, 'both calls');
    // As if it had killed all but one of them before.
    await pool().query('UPDATE execution SET claims = $2 WHERE id = $1', [poison.executionId, MAX_CLAIMS - 1]);
    // By then it is put off for a while, to part company with the others.
    const hurry = () =>
      pool().query(
        'UPDATE execution SET available_at = now() WHERE id = $1 AND worker_id IS NULL AND available_at > now()',
        [poison.executionId],
      );
    const second = await startWorker();
    await kill(first);
    await until(async () => (await hurry()) && target.countOf('/poison') === 2, 'the next victim', PATIENCE_MS);
    await startWorker();
    await kill(second);
    const isOver = async () => (await hurry()) && (await poison.read()).status === 'failed';
    await until(isOver, 'the run to be given up', PATIENCE_MS);
    expect((await poison.read()).error).toMatchObject({ code: 'CRASHED', nodeId: 'a' });
    await until(async () => target.countOf('/patient') === 3, 'the other to go on', PATIENCE_MS);
    target.letGo('/patient');
    await until(async () => (await patient.read()).status === 'completed', 'the other to complete', PATIENCE_MS);
    expect(target.countOf('/poison')).toBe(2);
  },
  LIMIT_MS,
);

it('the runs of a worker that was killed are free within five seconds, as it is configured', () => {
  expect(TAKEOVER_MS).toBeLessThan(5000);
});
