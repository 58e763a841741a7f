import { afterEach, describe, expect, it } from 'vitest';
import { databasePool } from '@/server/platform/db/client';
import { useDatabase } from '@/server/testing/database';
import { flow } from '@/server/testing/flow';
import { listenOn, textOf } from '@/server/testing/listen';
import { startRunOf } from '@/server/testing/runs';
import { fitTraceToBudget, truncateParameters, createTraceBudget } from './trace';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function run(definition: ReturnType<typeof flow>, input?: unknown) {
  const worker: EngineWorker = await startWorker({ concurrency: 5, graceMs: 200 });
  closing.push(() => worker.stop());
  return await (await startRunOf(definition, input)).finish();
}

describe('the trace of a try', () => {
  it('contains the rendered parameters, and the response that it failed with', async () => {
    let calls = 0;
    const { url, close } = await listenOn(async (request, response) => {
      calls += 1;
      await textOf(request);
      response.writeHead(calls < 3 ? 503 : 200, { 'content-type': 'application/json', 'x-call': String(calls) });
      response.end(JSON.stringify({ call: calls }));
    });
    closing.push(close);
    const call = {
      type: 'http_request',
      config: { url: `${url}/{{ input.name }}`, method: 'POST', body: { text: '{{ input.text }}' } },
      retry: { maxAttempts: 3, backoffMs: 1 },
    };
    const input = { name: 'ada', text: 'x'.repeat(3000) };
    const { nodeResults } = await run(flow({ s: { type: 'start' }, a: call }, ['s>a']), input);
    const { tries = [], output } = nodeResults.find(({ nodeId }) => nodeId === 'a') ?? {};
    const parameters = { url: `${url}/ada`, method: 'POST', body: expect.stringMatching(/^\{"text":"x{900,}…$/) };
    expect(tries).toMatchObject([
      { parameters, answer: { status: 503, headers: { 'x-call': '1' }, body: '{"call":1}' } },
      { parameters, answer: { status: 503, headers: { 'x-call': '2' }, body: '{"call":2}' } },
      { parameters, error: null },
    ]);
    expect(tries[2]).not.toHaveProperty('answer');
    expect(output).toMatchObject({ status: 200, body: { call: 3 } });
  });

  it('is absent if the first try succeeds', async () => {
    const { id } = await run(
      flow({ s: { type: 'start' }, a: { type: 'transform', config: { expression: '1' } } }, ['s>a']),
    );
    const { rows } = await databasePool().query('SELECT tries FROM node_result WHERE execution_id = $1', [id]);
    expect(rows).toEqual([{ tries: null }, { tries: null }]);
  });

  it('omits literal fields, and has no parameters if an expression failed', async () => {
    const code = { type: 'code', config: { language: 'javascript', source: 'throw new Error("no")' } };
    const shape = { type: 'transform', config: { expression: '$sum("a")' } };
    const failing = flow({ s: { type: 'start' }, a: code }, ['s>a']);
    expect((await run(failing)).nodeResults[1]?.tries?.[0]).not.toHaveProperty('parameters');
    const [, result] = (await run(flow({ s: { type: 'start' }, a: shape }, ['s>a']))).nodeResults;
    expect(result?.tries?.[0]).not.toHaveProperty('parameters');
  });
});

it('limits the size of parameters', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'y'.repeat(2000)]));
  expect(JSON.stringify(truncateParameters(many)).length).toBeLessThan(4200);
  expect(truncateParameters({ a: [1, { b: null }], c: '😀'.repeat(1000) })).toEqual({
    a: [1, { b: null }],
    c: expect.stringMatching(/^😀{400,500}.?…$/u),
  });
});

it('limits the size of all traces of a run', () => {
  const budget = { ...createTraceBudget(), remaining: 100 };
  const trace = { parameters: { a: 'x'.repeat(60) } };
  expect([fitTraceToBudget(trace, budget), fitTraceToBudget(trace, budget)]).toEqual([trace, {}]);
});
