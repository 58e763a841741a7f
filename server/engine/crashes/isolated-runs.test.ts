import { afterEach, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { generateId } from '@/server/platform/db/ids';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, until, type StartedRun } from '@/server/testing/runs';
import { runIsolatedWorker, type IsolatedWorkerOptions } from '../isolated-worker';
import { requestCancellation } from '../queue/requests';
import { startWorker } from '../worker';

useDatabase();

const ending = new AbortController();
afterEach(() => prismaClient().workspace.deleteMany());

const options = (
  kinds: IsolatedWorkerOptions['kinds'],
  more: Partial<IsolatedWorkerOptions> = {},
): IsolatedWorkerOptions => ({
  id: generateId('wrk'),
  signal: ending.signal,
  kinds,
  onLongRun: () => undefined,
  graceMs: 200,
  ...more,
});

const one = flow({ s: { type: 'start' }, a: { type: 'call' } }, ['s>a']);
const two = flow({ s: { type: 'start' }, a: { type: 'call' }, b: { type: 'call' } }, ['s>a', 'a>b']);

/** Marks runs as if their process had died. */
const suspect = (...runs: StartedRun[]) =>
  databasePool().query('UPDATE execution SET deaths = 1, is_alone = true WHERE id = ANY($1)', [
    runs.map(({ executionId }) => executionId),
  ]);

/** Ends a run as one whose process died while it ran nothing else. */
const markKiller = ({ executionId }: StartedRun) =>
  databasePool().query(
    `UPDATE execution SET status = 'failed', completed_at = now(), available_at = NULL, deaths = 3, died_at = now() WHERE id = $1`,
    [executionId],
  );

it('runs suspects one at a time and no other runs, then ends', async () => {
  let inFlight = 0;
  let most = 0;
  const { kinds } = testKinds(async () => {
    most = Math.max(most, (inFlight += 1));
    await new Promise(setImmediate);
    inFlight -= 1;
    return 'done';
  });
  const workflow = await storeWorkflow(one);
  const runs = await Promise.all(Array.from({ length: 5 }, () => startRun(workflow)));
  const other = await startRun(workflow);
  await suspect(...runs);
  await runIsolatedWorker(options(kinds));
  for (const run of runs) expect(await run.read()).toMatchObject({ status: 'completed', output: 'done' });
  expect((await other.read()).status).toBe('pending');
  expect(most).toBe(1);
});

it('a run returns to the shared processes once it has passed the place of the death', async () => {
  const { kinds, attempts } = testKinds(async ({ nodeId }) => nodeId);
  const three = flow({ s: { type: 'start' }, a: { type: 'call' }, b: { type: 'call' }, c: { type: 'call' } }, [
    's>a',
    'a>b',
    'b>c',
  ]);
  const run = await startRunOf(three);
  await suspect(run);
  await runIsolatedWorker(options(kinds));
  const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: run.executionId } });
  expect([row.status, row.isAlone, row.deaths, row.workerId]).toEqual(['running', false, 0, null]);
  expect(attempts.get('c')).toBeUndefined();
  const worker = await startWorker({ concurrency: 5, kinds });
  expect(await run.finish()).toMatchObject({ status: 'completed', output: 'c' });
  await worker.stop();
  expect([attempts.get('a'), attempts.get('b'), attempts.get('c')]).toEqual([1, 1, 1]);
});

it('a run of a version that kills processes stays alone', async () => {
  const { kinds } = testKinds(async ({ nodeId }) => nodeId);
  const workflow = await storeWorkflow(two);
  const [killer, run] = [await startRun(workflow), await startRun(workflow)];
  await markKiller(killer);
  await suspect(run);
  await runIsolatedWorker(options(kinds));
  expect(await run.read()).toMatchObject({ status: 'completed', output: 'b' });
});

it('releases a long run between two nodes, so that other runs get their turn', async () => {
  const [first, long] = [gate(), gate()];
  const { kinds, attempts } = testKinds(async ({ nodeId }) => {
    if (nodeId === 'a') {
      first.open();
      await long.opened;
    }
    return nodeId;
  });
  const workflow = await storeWorkflow(two);
  await markKiller(await startRun(workflow));
  const run = await startRun(workflow);
  await suspect(run);
  const longRun = gate();
  const working = runIsolatedWorker(options(kinds, { turnMs: 50, onLongRun: longRun.open }));
  await first.opened;
  await longRun.opened;
  long.open();
  await working;
  expect((await run.read()).status).toBe('running');
  expect([attempts.get('a'), attempts.get('b')]).toEqual([1, undefined]);
  await runIsolatedWorker(options(kinds));
  expect((await run.read()).status).toBe('completed');
  expect([attempts.get('a'), attempts.get('b')]).toEqual([1, 1]);
});

it('is fair between workspaces', async () => {
  const order: string[] = [];
  const { kinds } = testKinds(async ({ execution }) => void order.push((execution.input as { of: string }).of));
  const [busy, quiet] = [await storeWorkflow(one), await storeWorkflow(one)];
  const runs = await Promise.all(Array.from({ length: 10 }, () => startRun(busy, { of: 'busy' })));
  const single = await startRun(quiet, { of: 'quiet' });
  await suspect(...runs, single);
  await runIsolatedWorker(options(kinds));
  expect(order).toHaveLength(11);
  expect(order.indexOf('quiet')).toBeLessThan(2);
});

it('notices a cancellation', async () => {
  const under = gate();
  const { kinds } = testKinds(async ({ signal }) => {
    under.open();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  });
  const run = await startRunOf(one);
  await suspect(run);
  const working = runIsolatedWorker(options(kinds));
  await under.opened;
  await requestCancellation(prismaClient(), [run.executionId]);
  await until(async () => (await run.read()).status === 'failed', 'the end');
  expect((await run.read()).error?.code).toBe('CANCELLED');
  await working;
});

it('releases its run on shutdown', async () => {
  const under = gate();
  const { kinds } = testKinds(async () => {
    under.open();
    await new Promise(() => {});
  });
  const run = await startRunOf(one);
  await suspect(run);
  const stopping = new AbortController();
  const working = runIsolatedWorker(options(kinds, { signal: stopping.signal }));
  await under.opened;
  stopping.abort();
  await working;
  const row = await prismaClient().execution.findUniqueOrThrow({ where: { id: run.executionId } });
  expect([row.status, row.workerId, row.deaths]).toEqual(['running', null, 1]);
  expect(await prismaClient().worker.count()).toBe(0);
});
