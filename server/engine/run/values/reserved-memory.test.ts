import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, type Behaviour } from '@/server/testing/runs';
import { requestCancellation } from '../../queue/requests';
import { startWorker, type EngineWorker } from '../../worker';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { BYTES_PER_MIB } from '@/contract/units';

useDatabase();

/** More than the total: no other run of the workspace gets memory at the same time. */
const ALL = 1024 * BYTES_PER_MIB;

let worker: EngineWorker;
afterEach(() => worker.stop());
const work = async (behave: Behaviour) => {
  worker = await startWorker({ concurrency: 100, kinds: testKinds(behave).kinds, graceMs: 200 });
};

const start = { type: 'start' };
const call = (more: object = {}) => ({ type: 'call', ...more });

describe('memory for large answers', () => {
  it('limits the number of concurrent nodes, and does not block the nodes that follow', async () => {
    let under = 0;
    let most = 0;
    await work(async ({ reserve }) => {
      await reserve(16 * BYTES_PER_MIB);
      most = Math.max(most, (under += 1));
      await nextTurn();
      under -= 1;
      return { text: 'x'.repeat(300_000) };
    });
    const length = { type: 'transform', config: { expression: '$length(input.text)' } };
    const workflow = await storeWorkflow(flow({ s: start, a: call(), b: length, c: call() }, ['s>a', 'a>b', 'b>c']));
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun(workflow)));
    for (const run of runs) expect((await run.finish()).status).toBe('completed');
    expect(most).toBeLessThanOrEqual(4);
  });

  it('is released by nodes that fail, time out, are retried or are cancelled', async () => {
    const inCall = gate();
    await work(async ({ nodeId, attemptNumber: attempt, reserve }) => {
      await reserve(nodeId === 'little' ? BYTES_PER_MIB : ALL);
      if (nodeId === 'fails') throw new NodeFailure('BROKEN', 'No.', false);
      if (nodeId === 'again' && attempt === 1) throw new NodeFailure('BUSY', 'Not yet.');
      if (['again', 'last', 'little'].includes(nodeId)) return nodeId;
      if (nodeId === 'cancelled') inCall.open();
      return await new Promise(() => {});
    });
    const { workspaceId } = await storeWorkflow(flow({ s: start }));
    const one = async (name: string, more: object = {}) =>
      startRun(await storeWorkflow(flow({ s: start, [name]: call(more) }, [`s>${name}`]), workspaceId));
    expect((await (await one('fails')).finish()).status).toBe('failed');
    expect((await (await one('late', { timeoutMs: 20 })).finish()).error?.code).toBe('TIMEOUT');
    expect((await (await one('again', { retry: { maxAttempts: 2, backoffMs: 0 } })).finish()).output).toBe('again');
    const cancelled = await one('cancelled');
    await inCall.opened;
    const waiting = await one('late', { timeoutMs: 20 });
    expect((await waiting.finish()).error?.code).toBe('TIMEOUT');
    // Other workspaces still get memory.
    const elsewhere = await startRunOf(flow({ s: start, little: call() }, ['s>little']));
    expect((await elsewhere.finish()).output).toBe('little');
    await requestCancellation(prismaClient(), [cancelled.executionId]);
    await cancelled.finish();
    expect((await (await one('last')).finish()).output).toBe('last');
  });
});
