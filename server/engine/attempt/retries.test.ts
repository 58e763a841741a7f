import { afterEach, describe, expect, it } from 'vitest';
import type { ExecutionResponse } from '@/contract/execution';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { gate, startRunOf, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { startWorker, type EngineWorker } from '../worker';
import { NodeFailure } from '@/server/platform/errors/node-failure';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const start = { type: 'start' };
const retry = { maxAttempts: 3, backoffMs: 10 };
const call = (more: object = {}) => ({ type: 'call', ...more });
const one = (node: Sketch) => flow({ s: start, a: node }, ['s>a']);
const loop = (body: ReturnType<typeof flow>, more: object = {}) => ({
  type: 'for_each',
  config: { items: '["x", "y", "z"]', body, concurrency: 3 },
  ...more,
});
const broken = (message: string) => new NodeFailure('BROKEN', message);
const resultAt = ({ nodeResults }: ExecutionResponse, id: string) => nodeResults.find(({ nodeId }) => nodeId === id);
const triesAt = (execution: ExecutionResponse, id: string) =>
  resultAt(execution, id)?.tries?.map(({ attempt, error }) => [attempt, error?.message ?? null]);

describe('the tries of a node', () => {
  it('are reported with the time and error of each', async () => {
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt < 3) throw broken(`No. ${attempt}`);
      return attempt;
    });
    const execution = await (await startRunOf(one(call({ retry })))).finish();
    expect(triesAt(execution, 'a')).toEqual([
      [1, 'No. 1'],
      [2, 'No. 2'],
      [3, null],
    ]);
    const { tries = [], startedAt, completedAt } = resultAt(execution, 'a')!;
    expect([tries[0]?.startedAt, tries[2]?.completedAt]).toEqual([startedAt, completedAt]);
    const times = tries.flatMap((each) => [each.startedAt, each.completedAt ?? '']);
    expect(times).toEqual(times.toSorted());
    expect(resultAt(execution, 's')?.tries).toBeUndefined();
  });

  it('include a single failed try and the current try', async () => {
    const tried = gate();
    const { opened, open } = gate();
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt === 2) {
        tried.open();
        await opened;
      }
      throw broken(`No. ${attempt}`);
    });
    const run = await startRunOf(one(call({ retry: { maxAttempts: 2, backoffMs: 0 } })));
    await tried.opened;
    const under = await run.read();
    expect(triesAt(under, 'a')).toEqual([
      [1, 'No. 1'],
      [2, null],
    ]);
    expect(resultAt(under, 'a')?.tries?.[1]?.completedAt).toBeUndefined();
    open();
    expect(triesAt(await run.finish(), 'a')).toHaveLength(2);
    expect(triesAt(await (await startRunOf(one(call()))).finish(), 'a')).toEqual([[1, 'No. 1']]);
  });

  it('are continued by another worker', async () => {
    const second = gate();
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt === 1) throw broken('No. 1');
      second.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(one(call({ retry })));
    await second.opened;
    await workers.splice(0)[0]!.stop();
    await work(async ({ attemptNumber: attempt }) => {
      if (attempt === 2) throw broken('No. 2');
      return attempt;
    });
    expect(triesAt(await run.finish(), 'a')).toEqual([
      [1, 'No. 1'],
      [2, 'No. 2'],
      [3, null],
    ]);
  });
});

describe('the retry of a loop', () => {
  it('keeps finished nodes and continues where rounds failed', async () => {
    const attempts = await work(async ({ nodeId, attemptNumber: attempt }) => {
      if (nodeId === 'a[1].b' && attempt < 3) throw broken(`No. ${attempt}`);
      return nodeId;
    });
    const body = flow({ in: start, b: call(), c: call() }, ['in>b', 'b>c']);
    const execution = await (await startRunOf(one(loop(body, { retry })))).finish();
    expect(execution).toMatchObject({ status: 'completed', output: ['a[0].c', 'a[1].c', 'a[2].c'] });
    expect([attempts.get('a[1].b'), attempts.get('a[1].c')]).toEqual([3, 1]);
    expect(triesAt(execution, 'a')).toEqual([
      [1, 'No. 1'],
      [2, 'No. 2'],
      [3, null],
    ]);
    expect(triesAt(execution, 'a[1].b')).toHaveLength(3);
  });

  it('fails when its tries are used up, or at a failure that is not retriable', async () => {
    const attempts = await work(async ({ nodeId }) => {
      throw new NodeFailure('BROKEN', 'No.', nodeId !== 'a[0].never');
    });
    const often = flow({ in: start, b: call() }, ['in>b']);
    const failed = await (await startRunOf(one(loop(often, { retry })))).finish();
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'BROKEN' } });
    expect(resultAt(failed, 'a')?.attempts).toBe(3);
    expect(failed.nodeResults.map(({ status }) => status)).not.toContain('running');
    const never = flow({ in: start, never: call() }, ['in>never']);
    await (await startRunOf(one({ ...loop(never, { retry }), config: { items: '[1]', body: never } }))).finish();
    expect(attempts.get('a[0].never')).toBe(1);
  });

  it('includes nested loops', async () => {
    const attempts = await work(async ({ nodeId, attemptNumber: attempt }) => {
      if (nodeId === 'a[0].l[1].b' && attempt === 1) throw broken('Not yet.');
      return nodeId.at(-4);
    });
    const inner = loop(flow({ in: start, b: call() }, ['in>b']));
    const body = flow({ in: start, l: inner }, ['in>l']);
    const outer = { type: 'for_each', config: { items: '[1]', body }, retry };
    const execution = await (await startRunOf(one(outer))).finish();
    expect(execution).toMatchObject({ status: 'completed', output: [['0', '1', '2']] });
    expect(attempts.get('a[0].l[1].b')).toBe(2);
  });

  it('restarts its timeout', async () => {
    let isStuck = true;
    await work(async ({ nodeId, signal }) => {
      if (nodeId !== 'a[0].b' || !isStuck) return nodeId;
      signal.addEventListener('abort', () => (isStuck = false));
      return await new Promise(() => {});
    });
    const body = flow({ in: start, b: call() }, ['in>b']);
    const execution = await (await startRunOf(one(loop(body, { retry, timeoutMs: 2000 })))).finish();
    expect(execution.status).toBe('completed');
    expect(triesAt(execution, 'a')?.[0]?.[1]).toContain('2000 ms');
  });

  it('is continued by another worker between two tries', async () => {
    await work(async ({ nodeId }) => {
      if (nodeId === 'a[2].b') throw broken('Not here.');
      return nodeId;
    });
    const body = flow({ in: start, b: call() }, ['in>b']);
    const run = await startRunOf(one(loop(body, { retry: { maxAttempts: 2, backoffMs: 2000 } })));
    await until(async () => triesAt(await run.read(), 'a') !== undefined, 'the wait for the next try');
    await workers.splice(0)[0]!.stop();
    const attempts = await work(async ({ nodeId }) => nodeId);
    expect((await run.finish()).output).toEqual(['a[0].b', 'a[1].b', 'a[2].b']);
    expect([...attempts.keys()]).toContain('a[2].b');
  });
});

describe('a node that is not repeatable', () => {
  it('is tried once, even inside a loop with retries', async () => {
    const attempts = await work(async () => {
      throw broken('No.');
    });
    const body = flow({ s: start, b: call({ repeatable: false }) }, ['s>b']);
    const each = { type: 'for_each', config: { items: '[1]', body }, retry };
    const execution = await (await startRunOf(one(each))).finish();
    expect(execution).toMatchObject({ status: 'failed', error: { code: 'BROKEN' } });
    expect([...attempts.values()]).toEqual([1]);
  });
});
