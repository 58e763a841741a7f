import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { TEST_KEYS, removeWorkspaces, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRun, startRunOf, storeWorkflow, until, type StartedRun } from '@/server/testing/runs';
import { startCrashingProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startTarget, type Target } from '@/server/testing/servers/target';

useOwnDatabase();

const LIMIT_MS = 180_000;

let target: Target;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  target = await startTarget();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await removeWorkspaces();
  await prismaClient().worker.deleteMany();
  target.reset();
});
afterAll(() => target.close());

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startCrashingProcess(getRuntime().env.databaseUrl ?? '', TEST_KEYS);
  workers.push(worker);
  return worker;
}

const start = { type: 'start' };
const call = (path: string) => ({ type: 'http_request', config: { url: `${target.url}${path}`, method: 'POST' } });
const harmless = (path: string) => flow({ s: start, a: call(path) }, ['s>a']);
/** Makes a call, then kills its process. */
const poison = (path: string) => flow({ s: start, a: call(path), k: { type: 'crash' } }, ['s>a', 'a>k']);

const finish = (run: StartedRun) =>
  until(
    async () => {
      const execution = await run.read();
      return (execution.status === 'completed' || execution.status === 'failed') && execution;
    },
    'the run to end',
    LIMIT_MS,
  );
const called = (path: string, times: number) =>
  until(async () => target.countOf(path) === times, `call ${times} of ${path}`, LIMIT_MS);

/** The number of runs of the worker that has this one. */
async function runsOnSameWorker({ executionId }: StartedRun): Promise<number> {
  const { rows } = await databasePool().query<{ count: number }>(
    'SELECT count(*)::int AS count FROM execution WHERE worker_id = (SELECT worker_id FROM execution WHERE id = $1)',
    [executionId],
  );
  return rows[0]?.count ?? 0;
}

it(
  'a run that kills its process is tried three times, the last two times alone; concurrent and later runs complete',
  async () => {
    const paths = Array.from({ length: 5 }, (_, index) => `/neighbour-${index}`);
    target.hold('/poison', ...paths);
    const first = await startWorker();
    const neighbours = await Promise.all(paths.map((path) => startRunOf(harmless(path))));
    const crashing = await startRunOf(poison('/poison'));
    await until(async () => target.calls.length === 6, 'all calls');
    expect(await runsOnSameWorker(crashing)).toBe(6);
    target.letGo('/poison');
    await first.gone;
    workers.splice(0);

    target.hold('/poison');
    target.letGo(...paths);
    const second = await startWorker();
    for (const times of [2, 3]) {
      await called('/poison', times);
      expect(await runsOnSameWorker(crashing)).toBe(1);
      target.letGo('/poison');
      target.hold('/poison');
    }
    const { status, error } = await finish(crashing);
    expect([status, error?.code, error?.nodeId]).toEqual(['failed', 'CRASHED', 'a']);
    expect(error?.message).toContain('tried 3 times');
    const lines = { executionId: crashing.executionId, message: { startsWith: 'The process that ran this died' } };
    expect(await prismaClient().logEntry.count({ where: lines })).toBe(3);
    for (const run of neighbours) expect((await finish(run)).status).toBe('completed');
    expect(paths.map(target.countOf)).toEqual(paths.map(() => 2));
    expect(target.countOf('/poison')).toBe(3);

    // Another run of the same version kills no worker.
    target.letGo('/poison');
    const again = await startRun(crashing);
    const beside = await startRunOf(harmless('/beside'));
    expect((await finish(again)).error?.code).toBe('CRASHED');
    expect((await finish(beside)).status).toBe('completed');
    process.kill(second.pid, 0);
  },
  LIMIT_MS,
);

it(
  'a run that would kill its process before it is stored is stored first, so that its tries are counted',
  async () => {
    const worker = await startWorker();
    const crashing = await startRunOf(flow({ s: start, k: { type: 'crash' } }, ['s>k']));
    await worker.gone;
    workers.splice(0);
    await startWorker();
    expect((await finish(crashing)).error?.code).toBe('CRASHED');
    const { deaths } = await prismaClient().execution.findUniqueOrThrow({ where: { id: crashing.executionId } });
    expect(deaths).toBe(3);
  },
  LIMIT_MS,
);

it(
  'a queue of crashing runs kills no worker once the version is known, and other workspaces continue',
  { tags: 'long' },
  async () => {
    const workflow = await storeWorkflow(flow({ s: start, k: { type: 'crash' } }, ['s>k']));
    const queue = (count: number) => Promise.all(Array.from({ length: count }, () => startRun(workflow)));
    const [first] = await queue(1);
    let deaths = 0;
    let isOver = false;
    /** Starts the next worker when one dies, like the supervisor. */
    const supervise = async (): Promise<void> => {
      const worker = await startWorker();
      await worker.gone;
      if (isOver) return;
      workers.splice(0);
      deaths += 1;
      await supervise();
    };
    const supervised = supervise();
    await until(async () => deaths === 1, 'the first death', LIMIT_MS);
    const later = await queue(2);
    const others = await Promise.all(['/one', '/two'].map((path) => startRunOf(harmless(path))));
    for (const run of others) expect((await finish(run)).status).toBe('completed');
    for (const run of [...(first ? [first] : []), ...later]) expect((await finish(run)).error?.code).toBe('CRASHED');
    // A second worker may have claimed the runs before the first lease expired.
    expect(deaths).toBeLessThanOrEqual(2);
    const latest = await queue(1);
    for (const run of latest) expect((await finish(run)).error?.code).toBe('CRASHED');
    expect(deaths).toBeLessThanOrEqual(2);
    isOver = true;
    await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
    await supervised;
  },
);

async function shutDownDuring(isAlone: boolean): Promise<void> {
  const paths = ['/a', '/b', '/c'];
  target.hold(...paths);
  const chain = flow({ s: start, a: call('/a'), b: call('/b'), c: call('/c') }, ['s>a', 'a>b', 'b>c']);
  const run = await startRunOf(chain);
  await databasePool().query('UPDATE execution SET is_alone = $2 WHERE id = $1', [run.executionId, isAlone]);
  for (const path of paths) {
    const worker = await startWorker();
    await until(async () => target.countOf(path) > 0, `a call of ${path}`, LIMIT_MS);
    workers.splice(0);
    const ended = worker.end('SIGTERM');
    target.letGo(path);
    await ended;
  }
  await startWorker();
  expect((await finish(run)).status).toBe('completed');
  const { deaths } = await prismaClient().execution.findUniqueOrThrow({ where: { id: run.executionId } });
  expect(deaths).toBe(0);
}

it(
  'the graceful shutdown of a worker that runs a run with others counts no death',
  () => shutDownDuring(false),
  LIMIT_MS,
);
it('the graceful shutdown of a worker that runs a run alone counts no death', { tags: 'long' }, () =>
  shutDownDuring(true),
);
