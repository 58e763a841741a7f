import { afterEach, describe, expect, it } from 'vitest';
import { databasePool, prismaClient } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRunOf, testKinds, until, type Behaviour } from '@/server/testing/runs';
import { recordDecision } from '../queue/requests';
import { startWorker, type EngineWorker } from '../worker';
import { NodeFailure } from '@/server/platform/errors/node-failure';

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

const start = { type: 'start' };
const call = (more: object = {}) => ({ type: 'call', ...more });
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const loop = (body: ReturnType<typeof flow>, config: object = {}, more: object = {}) => ({
  type: 'for_each',
  config: { items: 'input.items', body, ...config },
  ...more,
});
const ITEMS = { items: ['a', 'b', 'c', 'd'] };

describe('a loop', () => {
  it('runs its body for each item and collects the results in order', async () => {
    await work();
    const body = flow({ in: start, out: shape('{"at": input.index, "item": nodes.in.item & nodes.s.items[0]}') }, [
      'in>out',
    ]);
    const definition = flow({ s: start, l: loop(body, { concurrency: 3 }), end: shape('$count(input)') }, [
      's>l',
      'l>end',
    ]);
    const execution = await (await startRunOf(definition, ITEMS)).finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toBe(4);
    const results = new Map(execution.nodeResults.map((result) => [result.nodeId, result]));
    expect(results.get('l')).toMatchObject({
      status: 'completed',
      input: ITEMS,
      output: [
        { at: 0, item: 'aa' },
        { at: 1, item: 'ba' },
        { at: 2, item: 'ca' },
        { at: 3, item: 'da' },
      ],
    });
    expect(results.get('l[2].in')).toMatchObject({ status: 'completed', input: { item: 'c', index: 2 } });
    expect(results.get('l[2].out')).toMatchObject({ output: { at: 2, item: 'ca' } });
  });

  it.each([
    ['null', []],
    ['[]', []],
    ['"one"', ['one']],
    ['[1..3]', [1, 2, 3]],
    ['input.nothing', []],
    ['input.lines[price > 9]', []],
    ['input.lines.sku', []],
  ])('over %s makes %j', async (items, output) => {
    await work();
    const body = flow({ in: start, out: shape('input.item') }, ['in>out']);
    const input = { nothing: null, lines: [{ price: 1 }] };
    const run = await startRunOf(flow({ s: start, l: loop(body, { items }) }, ['s>l']), input);
    expect((await run.finish()).output).toEqual(output);
  });

  it.each([
    ['input.itmes', ITEMS],
    ['{{ input.itmes }}', ITEMS],
    ['nodes.nobody.items', ITEMS],
    ['input.itmes', { ...ITEMS, large: 'x'.repeat(200_000) }],
  ])('over the path %s to nothing fails and names it', async (items, input) => {
    await work();
    const body = flow({ in: start, out: shape('input.item') }, ['in>out']);
    const run = await startRunOf(flow({ s: start, l: loop(body, { items }) }, ['s>l']), input);
    const { error } = await run.finish();
    const parameters = { nodeId: 'l', field: 'config.items', excerpt: expect.stringMatching(/itmes|nobody/) };
    expect(error).toMatchObject({ code: 'EXPRESSION', nodeId: 'l', expression: { field: 'config.items' }, parameters });
    expect(error?.message).toMatch(/config\.items: The path leads to nothing.*(itmes|nobody)/);
  });

  it('runs rounds concurrently up to its concurrency', async () => {
    let running = 0;
    let maxRunning = 0;
    await work(async ({ input }) => {
      maxRunning = Math.max(maxRunning, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return input;
    });
    const body = flow({ in: start, c: call() }, ['in>c']);
    const items = Array.from({ length: 12 }, (_, index) => index);
    await (await startRunOf(flow({ s: start, l: loop(body, { concurrency: 4 }) }, ['s>l']), { items })).finish();
    expect(maxRunning).toBeLessThanOrEqual(4);
    expect(maxRunning).toBeGreaterThan(1);
  });

  it('may be nested in another loop', async () => {
    await work();
    const inner = flow({ in: start, out: shape('input.item * 10 + nodes.row.index') }, ['in>out']);
    const body = flow({ row: start, l2: loop(inner, { items: 'input.item', concurrency: 2 }) }, ['row>l2']);
    const run = await startRunOf(flow({ s: start, l: loop(body) }, ['s>l']), { items: [[1, 2], [3]] });
    const execution = await run.finish();
    expect(execution.output).toEqual([[10, 20], [31]]);
    expect(execution.nodeResults.map(({ nodeId }) => nodeId)).toContain('l[0].l2[1].out');
  });

  it.each([
    ['small', 'a'],
    ['large', 'a'.repeat(100_000)],
  ])('gives the items of both loops where their starts have different names: %s', async (_, item) => {
    await work();
    const both =
      '$length(nodes.rows_start.item.name) & nodes.cells_start.item & nodes.rows_start.index & nodes.cells_start.index';
    const cells = flow({ cells_start: start, out: shape(both) }, ['cells_start>out']);
    const rows = flow({ rows_start: start, cells: loop(cells, { items: 'input.item.cells' }) }, ['rows_start>cells']);
    const items = [
      { name: item, cells: ['x', 'y'] },
      { name: `${item}a`, cells: ['z'] },
    ];
    const { output } = await (await startRunOf(flow({ s: start, l: loop(rows) }, ['s>l']), { items })).finish();
    const length = item.length;
    expect(output).toEqual([[`${length}x00`, `${length}y01`], [`${length + 1}z10`]]);
  });

  it('fails with its first failing round, and aborts the others', async () => {
    const stopped = gate();
    await work(async ({ nodeId, signal }) => {
      if (nodeId === 'l[1].c') throw new NodeFailure('BOOM', 'It broke.');
      if (nodeId === 'l[0].c') {
        signal.addEventListener('abort', () => stopped.open());
        return await new Promise(() => {});
      }
      return nodeId;
    });
    const body = flow({ in: start, c: call() }, ['in>c']);
    const run = await startRunOf(flow({ s: start, l: loop(body, { concurrency: 2 }) }, ['s>l']), ITEMS);
    const execution = await run.finish();
    await stopped.opened;
    expect(execution.error).toEqual({ code: 'BOOM', message: 'It broke.', nodeId: 'l[1].c' });
    const results = execution.nodeResults.map(({ nodeId, status }) => [nodeId, status]);
    expect(Object.fromEntries(results)).toEqual({
      s: 'completed',
      l: 'failed',
      'l[0].in': 'completed',
      'l[0].c': 'failed',
      'l[1].in': 'completed',
      'l[1].c': 'failed',
    });
  });

  it('passes its failure to its error port', async () => {
    await work(async () => {
      throw new NodeFailure('BOOM', 'It broke.');
    });
    const body = flow({ in: start, c: call() }, ['in>c']);
    const definition = flow({ s: start, l: loop(body), e: shape('input.code') }, ['s>l', 'l:error>e']);
    expect((await (await startRunOf(definition, ITEMS)).finish()).output).toBe('BOOM');
  });

  it('fails after its timeout', async () => {
    await work(() => new Promise(() => {}));
    const body = flow({ in: start, c: call() }, ['in>c']);
    const run = await startRunOf(flow({ s: start, l: loop(body, {}, { timeoutMs: 50 }) }, ['s>l']), ITEMS);
    expect((await run.finish()).error).toMatchObject({ code: 'TIMEOUT', nodeId: 'l' });
  });

  it('waits for a decision in each round, and keeps the item of the round', async () => {
    await work();
    const body = flow({ in: start, ask: { type: 'approval' }, out: shape('nodes.in.item & ":" & input.decision') }, [
      'in>ask',
      'ask:approved>out',
      'ask:rejected>out',
    ]);
    const run = await startRunOf(flow({ s: start, l: loop(body, { items: '["x", "y"]' }) }, ['s>l']));
    for (const [index, decision] of (['approved', 'rejected'] as const).entries()) {
      const nodeId = `l[${index}].ask`;
      const { workspaceId, executionId } = run;
      const request = { workspaceId, executionId, nodeId, decision, comment: null, decidedBy: 'me' };
      await until(async () => (await recordDecision(prismaClient(), request)) === 'decided', `${nodeId} to ask`);
    }
    expect((await run.finish()).output).toEqual(['x:approved', 'y:rejected']);
  });

  it('occupies no worker while its rounds wait', async () => {
    await work();
    const delay = { type: 'delay', config: { durationMs: 1200 } };
    const body = flow({ in: start, d: delay, out: shape('nodes.in.index') }, ['in>d', 'd>out']);
    const run = await startRunOf(flow({ s: start, l: loop(body, { concurrency: 4 }) }, ['s>l']), ITEMS);
    await until(async () => {
      const where = { id: run.executionId, workerId: null, status: 'running' };
      return (await prismaClient().execution.count({ where })) > 0;
    }, 'the release of the run');
    expect((await run.finish()).output).toEqual([0, 1, 2, 3]);
  });

  it('is continued by another worker; no finished node runs twice', async () => {
    const second = gate();
    const first = await work(async ({ nodeId }) => {
      if (nodeId !== 'l[2].c') return nodeId;
      second.open();
      return await new Promise(() => {});
    });
    const body = flow({ in: start, c: call() }, ['in>c']);
    // The items are evaluated once; the expression has another value later.
    const run = await startRunOf(
      flow({ s: start, l: loop(body, { items: '$map([1..5], function($i) { $i & $random() })' }) }, ['s>l']),
    );
    await second.opened;
    await workers.splice(0)[0]!.stop();
    const { rows } = await databasePool().query<{ held: { items: string[] } }>(
      `SELECT held FROM node_result WHERE execution_id = $1 AND node_id = 'l'`,
      [run.executionId],
    );
    const inputs: unknown[] = [];
    const more = await work(async ({ nodeId, input }) => {
      inputs.push(input);
      return nodeId;
    });
    expect((await run.finish()).output).toEqual([0, 1, 2, 3, 4].map((index) => `l[${index}].c`));
    expect([...first.keys()]).toEqual(['l[0].c', 'l[1].c', 'l[2].c']);
    expect([...more.keys()]).toEqual(['l[2].c', 'l[3].c', 'l[4].c']);
    expect(inputs).toEqual([2, 3, 4].map((index) => ({ item: rows[0]?.held.items[index], index })));
  });
});
