import { afterEach, expect, it, vi } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import type { LabelValue } from '@/server/platform/counters/family';
import { processMeters } from '@/server/platform/counters/meters';
import { serviceLog } from '@/server/platform/log';
import { getRuntime } from '@/server/platform/runtime';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { startRunOf, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { requestCancellation } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

const work = async (behave: Behaviour) =>
  workers.push(await startWorker({ concurrency: 50, kinds: testKinds(behave).kinds, graceMs: 200 }));

/** The number of failed attempts with these labels. */
const counted = (labels: Record<string, LabelValue>) =>
  [...processMeters.nodeFailures.entries()]
    .filter(([own]) => Object.entries(labels).every(([name, value]) => own[name] === value))
    .reduce((sum, [, { value }]) => sum + value, 0);
const attempts = (type: string) =>
  [...processMeters.nodeSeconds.entries()]
    .filter(([labels]) => labels['type'] === type)
    .flatMap(([, { counts }]) => counts)
    .reduce((sum, count) => sum + count, 0);
const one = flow({ s: { type: 'start' }, a: { type: 'call', retry: { maxAttempts: 2, backoffMs: 10 } } }, ['s>a']);

it('counts runs by workflow and result, attempts by type, and failures by code', async () => {
  const results = ['completed', 'failed', 'cancelled'];
  const before = {
    attempts: attempts('call'),
    broken: counted({ type: 'call', code: 'BROKEN' }),
  };
  // The counters themselves fall when the workflow of another test loses its series.
  const count = vi.spyOn(processMeters.runsEnded, 'count');
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
  await requestCancellation(prismaClient(), [cancelled!.executionId]);
  await cancelled!.finish();
  const ended = () => count.mock.calls.map(([, result]) => result);
  await until(async () => results.every((result) => ended().includes(result)), 'the runs to be counted');
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
  expect(counted({ type: 'call', code: 'other' }) - before).toBe(1);
});

it('writes a line at the start and at the end of a run, when they are wanted', async () => {
  const lines: [Record<string, unknown>, unknown][] = [];
  vi.spyOn(serviceLog(), 'info').mockImplementation((line: unknown, message?: unknown) => {
    lines.push([line as Record<string, unknown>, message]);
  });
  const { env } = getRuntime();
  await work(async () => {
    throw new NodeFailure('BROKEN', 'A secret of the user', false);
  });
  await (await startRunOf(one)).finish();
  env.isRunLogged = true;
  try {
    const run = await startRunOf(one);
    await run.finish();
    const { executionId, workflowId, workspaceId } = run;
    const own = () => lines.filter(([line]) => line['executionId'] === executionId);
    await until(async () => own().length === 2, 'both lines');
    const facts = { executionId, workflowId, workspaceId, version: 1 };
    expect(own()).toEqual([
      [expect.objectContaining(facts), 'run started'],
      [expect.objectContaining({ ...facts, result: 'failed', code: 'BROKEN', nodeId: 'a' }), 'run ended'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  } finally {
    env.isRunLogged = false;
  }
});
