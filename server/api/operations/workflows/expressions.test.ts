import { expect, test } from 'vitest';
import type { EvaluatedExpressions } from '@/contract/workflows/expression-evaluation';
import { useDatabase } from '@/server/testing/database';
import { buildUser, call } from '@/server/testing/factories';

useDatabase();

test('evaluates each text by itself, with the data of the call', async () => {
  const { token } = await buildUser();
  const scope = { input: { name: 'Ada', n: 2 }, nodes: { fetch: { id: 7 } } };
  const evaluate = (body: object) =>
    call<EvaluatedExpressions>('POST', '/api/expressions/evaluate', { token, body: { scope, ...body } });
  const texts = [
    { value: 'Hello {{ input.name }}, no. {{ nodes.fetch.id }}' },
    { value: 'input.n + 1', isBare: true },
    { value: { deep: ['{{ input.n }}', 'text'] } },
    { value: 'input.(', isBare: true },
    { value: '{{ input.gone }}' },
  ];
  const { body, status } = await evaluate({ language: 'jsonata', texts });
  expect(status).toBe(200);
  expect(body.results).toEqual([
    { value: 'Hello Ada, no. 7', problem: null },
    { value: 3, problem: null },
    { value: { deep: [2, 'text'] }, problem: null },
    { problem: { message: expect.any(String) as string, source: 'input.(', position: expect.any(Number) as number } },
    { value: null, problem: null },
  ]);
  const inJavascript = await evaluate({
    language: 'javascript',
    texts: [
      { value: '{{ input.name.toUpperCase() }} {{ nodes.none?.id }}!' },
      { value: '{ a: { b: input.n } }', isBare: true },
      { value: 'input.gone.deeper', isBare: true },
    ],
  });
  expect(inJavascript.body.results).toMatchObject([
    { value: 'ADA !' },
    { value: { a: { b: 2 } } },
    { problem: { message: expect.stringMatching(/undefined/) as string } },
  ]);
  expect((await evaluate({ language: 'python', texts })).status).toBe(400);
  expect((await evaluate({ language: 'jsonata', texts: [] })).status).toBe(400);
  expect((await evaluate({ language: 'jsonata', texts, timeZone: 'Mars/Crater' })).status).toBe(400);
});
