import { afterEach, expect, it } from 'vitest';
import { prisma } from '@/server/db/client';
import type { LabelValue } from '@/server/meters/family';
import { meters } from '@/server/meters/meters';
import { NodeFailure } from '@/server/errors/node-failure';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRunOf, testKinds, until, type Behaviour, type StartedRun } from '@/server/testing/runs';
import { cancel } from '../queue/requests';
import { startWorker, type Worker } from '../worker';

useDatabase();

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const work = async (behave: Behaviour) =>
  workers.push(await startWorker({ concurrency: 50, kinds: testKinds(behave).kinds, graceMs: 200 }));

const counted = (labels: Record<string, LabelValue>) =>
  [...meters.runsEnded.entries(), ...meters.nodeFailures.entries()].find(([own]) =>
    Object.entries(labels).every(([name, value]) => own[name] === value),
  )?.[1].value ?? 0;
const attempts = (type: string) =>
  [...meters.nodeSeconds.entries()]
    .filter(([labels]) => labels['type'] === type)
    .flatMap(([, { counts }]) => counts)
    .reduce((sum, count) => sum + count, 0);
const ended = ({ workflowId }: StartedRun, result: string) =>
  until(async () => counted({ workflow: workflowId, result }) === 1, `a run that is counted as ${result}`);

const one = flow({ s: { type: 'start' }, a: { type: 'call', retry: { maxAttempts: 2, backoffMs: 10 } } }, ['s>a']);

it('counts runs by workflow and result, attempts by type, and failures by code', async () => {
  const before = { attempts: attempts('call'), broken: counted({ type: 'call', code: 'BROKEN' }) };
  await work(async ({ input, signal }) => {
    const { does } = input as { does: string };
    if (does === 'fail') throw new NodeFailure('BROKEN', 'It is broken.');
    if (does === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return does;
  });
  const [completed, failed, cancelled] = await Promise.all(
    ['complete', 'fail', 'wait'].map((does) => startRunOf(one, { does })),
  );
  await completed!.finish();
  await failed!.finish();
  await until(async () => (await cancelled!.read()).status === 'running', 'the run to start');
  await cancel(prisma(), [cancelled!.executionId]);
  await cancelled!.finish();
  await ended(completed!, 'completed');
  await ended(failed!, 'failed');
  await ended(cancelled!, 'cancelled');
  expect(counted({ type: 'call', code: 'BROKEN' }) - before.broken).toBe(2);
  expect(attempts('call') - before.attempts).toBeGreaterThanOrEqual(3);
});

it('counts a code that is none as other, whatever a node throws', async () => {
  const before = counted({ type: 'call', code: 'other' });
  await work(async () => {
    throw new NodeFailure('of a tenant: {}"\n', 'It is broken.', false);
  });
  const run = await startRunOf(one);
  await run.finish();
  await ended(run, 'failed');
  expect(counted({ type: 'call', code: 'other' }) - before).toBe(1);
});
