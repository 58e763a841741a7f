import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { prismaClient } from '@/server/platform/db/client';
import { runInDatabaseTransaction } from '@/server/platform/db/transaction';
import { NodeFailure } from '@/server/platform/errors/node-failure';
import { useDatabase } from '@/server/testing/database';
import { flow, type Sketch } from '@/server/testing/flow';
import { gate, parsed, startRunOf, testKinds, until, type Behaviour } from '@/server/testing/runs';
import type { NodeEach } from '@/contract/workflows/each';
import { recordDecision, requestCancellation } from '../queue/requests';
import { completeNode, type NodeTypeDefinition } from '@/server/workflow/nodes/node-type';
import { rerunExecution } from '../queue/rerun';
import { readExecutionReport } from '../report/report';
import { readNodeResult } from '../report/node-report';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour = async ({ input }) => input): Promise<Map<string, number>> {
  const { kinds, attempts } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 50, kinds, graceMs: 200 }));
  return attempts;
}

const start: Sketch = { type: 'start' };
const shape = (expression: string, each?: NodeEach): Sketch => ({
  type: 'transform',
  config: { expression },
  ...(each && { each }),
});
const call = (each: NodeEach = {}, more: Partial<Sketch> = {}): Sketch => ({ type: 'call', each, ...more });

/** A node of the service whose items are rounds. */
const pause = (each: NodeEach = {}): Sketch => ({ type: 'delay', config: { durationMs: 1 }, each });

describe('the rounds of a node with each', () => {
  it('have results, keys and names of their own, and stay in order', async () => {
    const keys: string[] = [];
    await work(async ({ input, idempotencyKey, nodeId, log }) => {
      keys.push(idempotencyKey.replace(/^.*:/, ''));
      log('info', `at ${nodeId}`);
      await new Promise((resolve) => setImmediate(resolve));
      return input;
    });
    const items = Array.from({ length: 30 }, (_, index) => ({ index, text: 'x'.repeat(5000) }));
    const nodes = { s: start, c: call({ concurrency: 7 }), d: pause({ items: 'nodes.s' }) };
    const run = await startRunOf(flow(nodes, ['s>c', 'c>d']), items);
    const { output, error } = await run.finish();
    expect(error).toBeNull();
    expect(output).toEqual(items);
    expect(keys.toSorted()).toEqual(items.map((_, index) => `c[${index}]`).toSorted());
    const one = parsed(await readNodeResult(run.workspaceId, run.executionId, 'd[12]'));
    expect(one).toMatchObject({ nodeId: 'd[12]', status: 'completed', input: items[12], output: items[12] });
  });

  it('run at most so many at a time', async () => {
    let running = 0;
    let most = 0;
    await work(async ({ input }) => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return input;
    });
    const input = Array.from({ length: 20 }, (_, index) => index);
    await (await startRunOf(flow({ s: start, c: call({ concurrency: 4 }) }, ['s>c']), input)).finish();
    expect([most > 1, most <= 4]).toEqual([true, true]);
    most = 0;
    await (await startRunOf(flow({ s: start, c: call() }, ['s>c']), input)).finish();
    expect(most).toBe(1);
  });

  it('are retried and timed one by one', async () => {
    const attempts = await work(async ({ input, attemptNumber, nodeId }) => {
      if (nodeId === 'c[1]' && attemptNumber < 3) throw new NodeFailure('BUSY', 'Not now.');
      return nodeId === 'c[2]' ? await new Promise(() => {}) : input;
    });
    const node = call({ onError: 'continue' }, { retry: { maxAttempts: 3, backoffMs: 1 }, timeoutMs: 400 });
    const execution = await (await startRunOf(flow({ s: start, c: node }, ['s>c']), [1, 2, 3, 4])).finish();
    const message = 'The node took longer than 400 ms.';
    expect(execution.output).toEqual([1, 2, { error: { code: 'TIMEOUT', message, nodeId: 'c[2]' } }, 4]);
    expect(Object.fromEntries(attempts)).toEqual({ 'c[0]': 1, 'c[1]': 3, 'c[2]': 3, 'c[3]': 1 });
  });

  it('are continued by another worker; no finished item runs twice', async () => {
    const second = gate();
    const first = await work(async ({ nodeId }) => {
      if (nodeId !== 'c[2]') return nodeId;
      second.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(flow({ s: start, c: call() }, ['s>c']), ['a', 'b', 'c', 'd']);
    await second.opened;
    await workers.splice(0)[0]!.stop();
    const more = await work(async ({ nodeId, input }) => `${nodeId}${String(input)}`);
    expect((await run.finish()).output).toEqual(['c[0]', 'c[1]', 'c[2]c', 'c[3]d']);
    expect([...first.keys()]).toEqual(['c[0]', 'c[1]', 'c[2]']);
    expect([...more.keys()]).toEqual(['c[2]', 'c[3]']);
  });

  it('ask everyone at once, and each answer takes its port', async () => {
    await work();
    const ask: Sketch = { type: 'approval', config: { message: 'May {{ item }}?' }, each: {} };
    const nodes = { s: start, ask, yes: shape('input.comment'), no: shape('input.comment') };
    const run = await startRunOf(flow(nodes, ['s>ask', 'ask:approved>yes', 'ask:rejected>no']), ['a', 'b', 'c']);
    const paused = await run.reach('paused');
    const asked = paused.nodeResults.flatMap(({ asked: prompt }) => (prompt ? [prompt.message] : []));
    expect(asked).toEqual(['May a?', 'May b?', 'May c?']);
    for (const [index, decision] of (['approved', 'rejected', 'approved'] as const).entries()) {
      const { workspaceId, executionId } = run;
      const nodeId = `ask[${index}]`;
      const request = { workspaceId, executionId, nodeId, decision, comment: `for ${index}`, decidedBy: 'me' };
      expect(await recordDecision(prismaClient(), request)).toBe('decided');
    }
    const execution = await run.finish();
    expect(execution.output).toEqual({ yes: ['for 0', 'for 2'], no: 'for 1' });
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'ask')).toMatchObject({
      ports: { approved: 2, rejected: 1 },
    });
  });

  it('may wait, be in the rounds of a loop, and follow each other', async () => {
    await work();
    const delay: Sketch = { type: 'delay', config: { durationMs: 5 }, each: { concurrency: 2, items: 'input.item' } };
    const body = flow({ in: start, d: delay, x: shape('item * 10', {}), c: call() }, ['in>d', 'd>x', 'x>c']);
    const loop: Sketch = { type: 'for_each', config: { items: 'input', body } };
    const execution = await (await startRunOf(flow({ s: start, l: loop }, ['s>l']), [[1, 2], [3], []])).finish();
    expect(execution.output).toEqual([[10, 20], [30], null]);
    expect(execution.nodeResults.map(({ nodeId }) => nodeId)).toContain('l[0].c[1]');
  });

  it('keep their results when a run is repeated from a later node', async () => {
    await work();
    const definition = flow({ s: start, c: pause(), n: shape('$sum(input)') }, ['s>c', 'c>n']);
    const run = await startRunOf(definition, [1, 2, 3]);
    expect((await run.finish()).output).toBe(6);
    const { workspaceId, executionId } = run;
    const repeated = await runInDatabaseTransaction(true, (db) =>
      rerunExecution(db, {
        workspaceId,
        executionId,
        definition,
        startNodeId: null,
        workflowVersion: 1,
        untilNodeId: null,
        fromNodeId: 'n',
        input: undefined,
        createdBy: null,
      }),
    );
    if (repeated === 'never-ran') throw new Error('The node has run.');
    const execution = await until(async () => {
      const found = await readExecutionReport(workspaceId, repeated.executionId);
      return found?.status === 'completed' && found;
    }, 'the repetition');
    expect(execution.output).toBe(6);
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'c[1]')).toMatchObject({ input: 2, output: 2 });
  });

  it('are those of the first item only, if a repetition asks for it', async () => {
    const attempts = await work();
    const large = Array.from({ length: 3000 }, (_, n) => ({ n, text: 'x'.repeat(50) }));
    const nodes = {
      s: start,
      c: call({ items: '$reverse(input)[n > 1]' }),
      a: shape('item.n', { items: 'nodes.s' }),
    };
    const definition = flow(nodes, ['s>c', 's>a']);
    for (const [input, output] of [
      [[{ n: 1 }, { n: 2 }, { n: 3 }], { c: [{ n: 3 }], a: [1] }],
      [large, { c: [large.at(-1)], a: [0] }],
    ] as const) {
      const run = await startRunOf(definition, input);
      expect((await run.finish()).error).toBeNull();
      for (const fromNodeId of ['c', 'a'] as const) {
        attempts.clear();
        const ends = { untilNodeId: fromNodeId, fromNodeId, startNodeId: null, workflowVersion: 1 };
        const request = { ...ends, workspaceId: run.workspaceId, executionId: run.executionId, definition };
        const repeated = await runInDatabaseTransaction(true, (db) =>
          rerunExecution(db, { ...request, input: undefined, firstItemOnly: true, createdBy: null }),
        );
        if (repeated === 'never-ran') throw new Error('The node has run.');
        const row = () => prismaClient().execution.findUniqueOrThrow({ where: { id: repeated.executionId } });
        const ended = await until(async () => {
          const found = await row();
          return found.completedAt && found;
        }, 'the repetition');
        expect([ended.status, ended.output, ended.requiredAbilities]).toEqual(['completed', output[fromNodeId], 64]);
        expect([...attempts.keys()]).toEqual(fromNodeId === 'c' ? ['c[0]'] : []);
      }
    }
  });

  it('that are computed can be cancelled', async () => {
    await work();
    // Each item takes longer than the fast path, and all together far longer than the test.
    const slow = shape('$sum([1..2000].($ * index))', {});
    const items = Array.from({ length: 50_000 }, (_, index) => index);
    const run = await startRunOf(flow({ s: start, a: slow }, ['s>a']), items);
    await until(
      async () => (await prismaClient().nodeResult.count({ where: { executionId: run.executionId, nodeId: 'a' } })) > 0,
      'the node to start',
    );
    await requestCancellation(prismaClient(), [run.executionId]);
    expect(await run.finish()).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
  });

  it('that act outside begin no more once the run is cancelled, which waits for none of them', async () => {
    const slow = gate();
    const attempts = await work(async ({ input }) => {
      if (Number(input) >= 40) await slow.opened;
      return input;
    });
    const items = Array.from({ length: 5000 }, (_, index) => index);
    const run = await startRunOf(flow({ s: start, c: call({ concurrency: 10 }) }, ['s>c']), items);
    await until(async () => attempts.size >= 50, 'ten items to be under way');
    await requestCancellation(prismaClient(), [run.executionId]);
    expect(await run.finish()).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    expect(attempts.size).toBe(50);
    slow.open();
  });

  it('that are computed stop with the slice in which the run is cancelled', async () => {
    let computed = 0;
    const { kinds } = testKinds(async () => null);
    const node = kinds.get('call') as NodeTypeDefinition;
    const run = async ({ signal }: { signal: AbortSignal }) => {
      computed += 1;
      if (computed > 600 && !signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return completeNode(computed);
    };
    const pure = new Map([...kinds, ['call', { ...node, isOutside: false, run }]]);
    workers.push(await startWorker({ concurrency: 50, kinds: pure, graceMs: 200 }));
    const items = Array.from({ length: 50_000 }, (_, index) => index);
    const started = await startRunOf(flow({ s: start, c: call() }, ['s>c']), items);
    await until(async () => computed > 600, 'an item to be under way');
    await requestCancellation(prismaClient(), [started.executionId]);
    expect(await started.finish()).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    expect(computed).toBeLessThanOrEqual(1000);
  });

  it('are a map in plain code', async () => {
    await work();
    const anyItem = fc.oneof(fc.integer(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(anyItem, { maxLength: 8 }), fc.boolean(), async (items, flatten) => {
        const each = { flatten, onEmpty: 'pass' } as const;
        const nodes = { s: start, a: shape('{"v": item, "i": index}', each), c: call(each), b: shape('item', each) };
        const run = await startRunOf(flow(nodes, ['s>a', 's>c', 's>b']), items);
        const flat = flatten ? items.flat() : items;
        const mapped = items.map((v, i) => ({ v, i }));
        expect((await run.finish()).output).toEqual({ a: mapped, c: flat, b: flat });
      }),
      { numRuns: 8 },
    );
  });

  it('of ten thousand items keep little in memory', { tags: 'long', timeout: 300_000 }, async () => {
    await work(async ({ input }) => input);
    const text = 'x'.repeat(500);
    const items = Array.from({ length: 10_000 }, (_, index) => ({ index, text }));
    const run = await startRunOf(
      flow({ s: start, c: call({ concurrency: 50 }), n: shape('$count(input)') }, ['s>c', 'c>n']),
      items,
    );
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().heapUsed)), 50);
    const before = process.memoryUsage().heapUsed;
    const { status } = await run.reach('completed', 'failed').finally(() => clearInterval(timer));
    expect(status).toBe('completed');
    expect(most - before).toBeLessThan(300 * 1024 * 1024);
  });
});
