import { setImmediate as breathe } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { prisma } from '../db/client';
import { NodeFailure } from '../nodes/node';
import { useDatabase } from '../testing/database';
import { flow } from '../testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, type Behaviour } from '../testing/runs';
import { cancel } from './requests';
import { startWorker, type Worker } from './worker';

useDatabase();

const MIB = 1024 * 1024;
/** More than there is: nobody else of the workspace has any while it has it. */
const ALL = 1024 * MIB;

let worker: Worker;
afterEach(() => worker.stop());
const work = async (behave: Behaviour) => {
  worker = await startWorker({ concurrency: 100, kinds: testKinds(behave).kinds, graceMs: 200 });
};

const start = { type: 'start' };
const call = (more: object = {}) => ({ type: 'call', ...more });

describe('memory for large answers', () => {
  it('goes to so many at a time, however many runs there are, and what they lead to waits for none of it', async () => {
    let under = 0;
    let most = 0;
    await work(async ({ reserve }) => {
      await reserve(16 * MIB);
      most = Math.max(most, (under += 1));
      await breathe();
      under -= 1;
      return { text: 'x'.repeat(300_000) };
    });
    const length = { type: 'transform', config: { expression: '$length(input.text)' } };
    const workflow = await storeWorkflow(flow({ s: start, a: call(), b: length, c: call() }, ['s>a', 'a>b', 'b>c']));
    const runs = await Promise.all(Array.from({ length: 8 }, () => startRun(workflow)));
    for (const run of runs) expect((await run.finish()).status).toBe('completed');
    expect(most).toBeLessThanOrEqual(4);
  });

  it('is given back by nodes that fail, run out of time, are tried again or are cancelled', async () => {
    const held = gate();
    await work(async ({ nodeId, attempt, reserve }) => {
      await reserve(nodeId === 'little' ? MIB : ALL);
      if (nodeId === 'fails') throw new NodeFailure('BROKEN', 'No.', false);
      if (nodeId === 'again' && attempt === 1) throw new NodeFailure('BUSY', 'Not yet.');
      if (['again', 'last', 'little'].includes(nodeId)) return nodeId;
      if (nodeId === 'cancelled') held.open();
      return await new Promise(() => {});
    });
    const { workspaceId } = await storeWorkflow(flow({ s: start }));
    const one = async (name: string, more: object = {}) =>
      startRun(await storeWorkflow(flow({ s: start, [name]: call(more) }, [`s>${name}`]), workspaceId));
    expect((await (await one('fails')).finish()).status).toBe('failed');
    expect((await (await one('late', { timeoutMs: 20 })).finish()).error?.code).toBe('TIMEOUT');
    expect((await (await one('again', { retry: { maxAttempts: 2, backoffMs: 0 } })).finish()).output).toBe('again');
    const cancelled = await one('cancelled');
    await held.opened;
    const waiting = await one('late', { timeoutMs: 20 });
    expect((await waiting.finish()).error?.code).toBe('TIMEOUT');
    // There is something left for other workspaces.
    const elsewhere = await startRunOf(flow({ s: start, little: call() }, ['s>little']));
    expect((await elsewhere.finish()).output).toBe('little');
    await cancel(prisma(), [cancelled.executionId]);
    await cancelled.finish();
    expect((await (await one('last')).finish()).output).toBe('last');
  });
});
