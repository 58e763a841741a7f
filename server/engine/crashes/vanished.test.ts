import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { removeWorkspaces, useOwnDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startProxy, type Proxy } from '@/server/testing/proxy';
import { startRunOf, until, type StartedRun } from '@/server/testing/runs';
import { startWorkerProcess, type ServiceProcess } from '@/server/testing/processes/service';
import { startTarget, type Target } from '@/server/testing/servers/target';

useOwnDatabase();

const LIMIT_MS = 120_000;
/** Within this time others continue the runs of a worker that has vanished with its connections open. */
const TAKEOVER_MS = 10_000;

let target: Target;
const workers: ServiceProcess[] = [];
const proxies: Proxy[] = [];

beforeAll(async () => {
  target = await startTarget();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.end('SIGKILL')));
  await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  await removeWorkspaces();
  await prismaClient().worker.deleteMany();
  target.reset();
});
afterAll(() => target.close());

const database = () => getRuntime().env.databaseUrl ?? '';

async function startWorker(url = database()): Promise<ServiceProcess> {
  const worker = await startWorkerProcess(url);
  workers.push(worker);
  return worker;
}

/** A worker whose connections to the database can stop to forward. */
async function startBehindProxy(): Promise<Proxy> {
  const proxy = await startProxy(database());
  proxies.push(proxy);
  await startWorker(proxy.url);
  return proxy;
}

const start = { type: 'start' };
const call = (path: string) => ({
  type: 'http_request',
  config: { url: `${target.url}${path}`, method: 'POST', body: {} },
});
const count = { type: 'remember', config: { operation: 'add', scope: 'workflow', key: 'n' } };
/** It counts the death of its worker: others may take it. */
const isReleased =
  ({ executionId }: StartedRun) =>
  async () =>
    (await prismaClient().execution.count({ where: { id: executionId, deaths: { gt: 0 } } })) === 1;
const isCompleted = (run: StartedRun) => async () => (await run.read()).status === 'completed';

async function vanishAt(...texts: string[]): Promise<void> {
  const proxy = await startBehindProxy();
  target.hold('/first');
  const run = await startRunOf(
    flow({ s: start, first: call('/first'), n: count, last: call('/last') }, ['s>first', 'first>n', 'n>last']),
  );
  await until(async () => target.countOf('/first') === 1, 'the call');
  await startWorker();
  const vanished = proxy.freezeAt(...texts);
  // Only a worker that has its answer makes the change.
  if (texts.includes('engine.change-result')) target.letGo('/first');
  await vanished;
  target.letGo('/first');
  await until(isReleased(run), 'another worker to take the run over', TAKEOVER_MS);
  await until(isCompleted(run), 'the run to complete');
  const { rows } = await databasePool().query<{ value: number }>(
    'SELECT value FROM remembered WHERE workflow_id = $1',
    [run.workflowId],
  );
  expect([rows[0]?.value, target.countOf('/last')]).toEqual([1, 1]);
}

it(
  'a worker that vanishes while it commits, with its own row and that of its run locked, is replaced within ten seconds, and a change is made once',
  () => vanishAt('engine.change-result', 'COMMIT'),
  LIMIT_MS,
);

it.each([
  ['with a change that is not committed', ['engine.change-result']],
  ['while it removes other workers, and waits for a call', ['engine.removeWorker', 'COMMIT']],
])(
  'a worker that vanishes %s is replaced within ten seconds, and a change is made once',
  { tags: 'long' },
  (_, texts) => vanishAt(...texts),
);

it(
  'a new worker takes runs within ten seconds although the only one before has vanished inside a transaction',
  { tags: 'long' },
  async () => {
    const proxy = await startBehindProxy();
    const vanished = proxy.freezeAt('engine.change-result', 'COMMIT');
    const run = await startRunOf(flow({ s: start, n: count, last: call('/last') }, ['s>n', 'n>last']));
    await vanished;
    const next = await startRunOf(flow({ s: start, last: call('/next') }, ['s>last']));
    await startWorker();
    await until(isCompleted(next), 'the new run to complete', TAKEOVER_MS);
    await until(isReleased(run), 'the run to be taken over', TAKEOVER_MS);
    await until(isCompleted(run), 'the run to complete');
    expect([target.countOf('/last'), target.countOf('/next')]).toEqual([1, 1]);
  },
);

it(
  'a worker that was frozen sends no page and no call of a node whose result another one has stored',
  async () => {
    const pages = (path: string) => ({
      type: 'http_request',
      config: {
        url: `${target.url}${path}`,
        pagination: {
          kind: 'page',
          parameter: 'page',
          items: '[input.body.path]',
          until: '$contains(input.body.path, "page=4")',
          maxPages: 9,
        },
      },
    });
    target.hold('/pages?page=2', '/parallel');
    const frozen = await startWorker();
    const run = await startRunOf(
      flow({ s: start, list: pages('/pages'), other: call('/parallel'), last: call('/last') }, [
        's>list',
        's>other',
        'other>last',
      ]),
    );
    await until(async () => target.countOf('/pages?page=2') + target.countOf('/parallel') === 2, 'both calls');
    frozen.signal('SIGSTOP');
    await startWorker();
    await until(
      async () => target.countOf('/pages?page=2') + target.countOf('/parallel') === 4,
      'another worker to continue',
    );
    target.letGo('/pages?page=2', '/parallel');
    await until(isCompleted(run), 'the run to complete');
    const before = target.calls.length;
    const leases = (await prismaClient().worker.findMany()).map(({ id }) => id);
    frozen.signal('SIGCONT');
    const hasNewLease = async () => (await prismaClient().worker.count({ where: { id: { notIn: leases } } })) > 0;
    await until(hasNewLease, 'the frozen worker to work under another lease');
    // By now it has read the answers that waited for it.
    expect(target.calls.slice(before)).toEqual([]);
    expect(['/pages?page=3', '/pages?page=4', '/last'].map(target.countOf)).toEqual([1, 1, 1]);
  },
  LIMIT_MS,
);
