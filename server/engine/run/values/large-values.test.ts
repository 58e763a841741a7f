import { afterEach, describe, expect, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { gate, startRun, startRunOf, storeWorkflow, testKinds, type Behaviour } from '@/server/testing/runs';
import type { LargeJsonText } from '@/server/evaluation/expressions/large-json';
import { mayReferenceNode } from './node-references';
import { compileGraph } from '@/server/workflow/definition/graph';
import { startWorker, type EngineWorker } from '../../worker';

useDatabase();

const workers: EngineWorker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

async function work(behave: Behaviour): Promise<void> {
  const { kinds } = testKinds(behave);
  workers.push(await startWorker({ concurrency: 100, kinds, graceMs: 200 }));
}

const start = { type: 'start' };
const call = { type: 'call' };
const shape = (expression: string) => ({ type: 'transform', config: { expression } });
const large = (letter: string) => ({ letter, text: letter.repeat(1024 * 1024) });

describe('a large output', () => {
  const definition = flow(
    {
      s: start,
      big: call,
      pass: { type: 'condition', config: { expression: 'true' } },
      stop: call,
      own: shape('$length(input.text)'),
      named: shape('$length(nodes.big.text)'),
      any: shape('$length($lookup(nodes, "b" & "ig").text)'),
      code: { type: 'code', config: { source: 'return nodes.big.text.length;' } },
      loop: {
        type: 'for_each',
        config: {
          items: '[1, 2]',
          body: flow({ in: start, out: shape('$length(nodes.big.text) + input.item') }, ['in>out']),
        },
      },
    },
    ['s>big', 'big>pass', 'pass:true>own', 'pass:true>stop', 'stop>named', 'stop>any', 'stop>code', 'stop>loop'],
  );
  const length = 1024 * 1024;

  it('is available to every node that reads it, also in another worker', async () => {
    const inCall = gate();
    await work(async ({ nodeId }) => {
      if (nodeId === 'big') return large('x');
      inCall.open();
      return await new Promise(() => {});
    });
    const run = await startRunOf(definition);
    await inCall.opened;
    const { rows } = await databasePool().query<{ node_id: string }>(
      'SELECT node_id FROM node_result WHERE execution_id = $1 AND large_bytes > $2',
      [run.executionId, length],
    );
    expect(rows.map(({ node_id }) => node_id).toSorted()).toEqual(['big', 'pass']);
    await workers.splice(0)[0]!.stop();
    await work(async () => 'on');
    const execution = await run.finish();
    expect(execution.error).toBeNull();
    expect(execution.output).toEqual({
      own: length,
      named: length,
      any: length,
      code: length,
      loop: [length + 1, length + 2],
    });
    expect(execution.nodeResults.find(({ nodeId }) => nodeId === 'own')?.input).toEqual(large('x'));
  });

  it('may be the output of a run', async () => {
    await work(async () => large('y'));
    const run = await startRunOf(flow({ s: start, big: call }, ['s>big']));
    expect((await run.finish()).output).toEqual(large('y'));
  });

  it('is refused where several together exceed the limit', async () => {
    await work(async () => large('z'));
    const body = flow({ in: start, big: call }, ['in>big']);
    const loop = { type: 'for_each', config: { items: '[1..12]', body } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']));
    expect((await run.finish()).error).toMatchObject({ code: 'OUTPUT_TOO_LARGE', nodeId: 'l' });
  });

  it('may be the items of a loop, also in another worker', async () => {
    const inCall = gate();
    const behave: Behaviour = async ({ nodeId, input }) => {
      const { item } = JSON.parse((input as LargeJsonText).text) as { item: { n: number } };
      if (nodeId !== 'l[1].c' || workers.length > 1) return item.n;
      inCall.open();
      return await new Promise(() => {});
    };
    await work(behave);
    const body = flow({ in: start, c: call, out: shape('input + $length(nodes.in.item.text)') }, ['in>c', 'c>out']);
    const items = '[1..4].{"n": $, "text": $pad("", 300000, "x")}';
    const loop = { type: 'for_each', config: { items, body } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']));
    await inCall.opened;
    await workers[0]!.stop();
    await work(behave);
    expect((await run.finish()).output).toEqual([300_001, 300_002, 300_003, 300_004]);
  });

  it('may be the input and output of a child run', async () => {
    await work(async () => large('w'));
    const length = shape('$length(input.text) + $length(execution.input.text)');
    const child = await storeWorkflow(flow({ s: start, sum: length, same: shape('nodes.s') }, ['s>sum', 's>same']));
    const sub = { type: 'sub_workflow', config: { workflowId: child.workflowId } };
    const parent = flow({ s: start, big: call, sub, out: shape('[input.sum, $length(input.same.text)]') }, [
      's>big',
      'big>sub',
      'sub>out',
    ]);
    const run = await startRun(await storeWorkflow(parent, child.workspaceId));
    expect((await run.finish()).output).toEqual([2 * 1024 * 1024, 1024 * 1024]);
  });

  it('includes smaller outputs of a run that keeps many', async () => {
    await work(async ({ nodeId }) => `${nodeId}${'v'.repeat(200_000)}`);
    const body = flow({ in: start, c: call, out: shape('$length(input)') }, ['in>c', 'c>out']);
    const loop = { type: 'for_each', config: { items: '[1..20]', body } };
    const run = await startRunOf(flow({ s: start, l: loop }, ['s>l']));
    const { output } = await run.finish();
    expect(output).toHaveLength(20);
    const { rows } = await databasePool().query<{ count: number }>(
      'SELECT count(*)::int FROM node_result WHERE execution_id = $1 AND large_bytes > 200000',
      [run.executionId],
    );
    expect(rows[0]?.count).toBeGreaterThan(10);
  });
});

describe('references in a config', () => {
  const kinds = new Map();
  const node = (expression: string) => compileGraph(flow({ n: shape(expression) }), kinds).byId.get('n')!;
  it.each([
    ['nodes.big.text', true],
    ['nodes."big"', true],
    ['$lookup(nodes, input.name)', true],
    ['nodes.*', true],
    ['nodes.other', false],
    ['input.big', false],
  ])('%s: %s', (expression, isRead) => {
    expect(mayReferenceNode(node(expression), 'big')).toBe(isRead);
  });
});
