import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '@/server/testing/database';
import { prismaClient } from '@/server/platform/db/client';
import { getRuntime } from '@/server/platform/runtime';
import { startRun, startRunOf, storeWorkflow } from '@/server/testing/runs';
import { flow, type Sketch } from '@/server/testing/flow';
import { startWorker, type EngineWorker } from '../worker';

useDatabase();

let worker: EngineWorker;
beforeAll(async () => {
  worker = await startWorker({ concurrency: 5, graceMs: 200 });
});
afterAll(() => worker.stop());

/** Runs a definition with the prelude. */
async function run(nodes: Record<string, Sketch>, links: string[], input: unknown): Promise<unknown> {
  const definition = { ...flow(nodes, links), language: 'javascript' as const, prelude: 'n8n' as const };
  const execution = await (await startRunOf(definition, input)).finish();
  return execution.error ?? execution.output;
}

const each = (expression: string, name?: string): Sketch => ({
  type: 'transform',
  name,
  config: { expression },
  each: {},
});
const start: Sketch = { type: 'start', name: 'Start' };

describe('names of n8n', () => {
  test.each([
    ['$json.a + 1', { a: '2' }, '21'],
    ['$json.nothing.toUpperCase()', {}, null],
    ['$input.all().length', {}, 1],
    ['$input.first().json.a', { a: 1 }, 1],
    ["$('Start').first().json.a", { a: 1 }, 1],
    ["$('Start').item.json.a", { a: 1 }, 1],
    ['$node["Start"].json.a', { a: 1 }, 1],
    ['$ifEmpty($json.a, 7)', { a: '' }, 7],
    ['$itemIndex', {}, 0],
    ["$jmespath($json.list, '[?n > `1`].n | [0]')", { list: [{ n: 1 }, { n: 2 }] }, 2],
    ['DateTime.fromISO("2024-05-06").plus({ days: 1 }).toISODate()', {}, '2024-05-07'],
    ['typeof $now.toISO()', {}, 'string'],
    [
      '(() => { try { JSON.parse("[1]", () => { throw new SyntaxError("own"); }); } catch (error) { return error.message; } })()',
      {},
      'own',
    ],
    ['`${"Hi {{ $json.list }}!"}`', { list: [1, 2] }, 'Hi {{ $json.list }}!'],
    ['Hi {{ $json.list }}{{ $json.none }}!', { list: [1, 2] }, 'Hi 1,2!'],
  ])('%s', async (source, input, value) => {
    const isText = source.startsWith('Hi');
    const config = isText ? { fields: { value: source } } : { expression: `({ value: ${source} })` };
    const node: Sketch = { type: 'transform', config, each: {} };
    const output = await run({ s: start, t: node }, ['s>t'], input);
    const expected = value === null && !isText ? [null] : [{ value }];
    expect(output).toEqual(expected);
  });

  test('the address of n8n is that of the service, unless the workspace has a variable of that name', async () => {
    const source = '({ url: $env.WEBHOOK_URL, other: $env.OTHER ?? null })';
    const definition = {
      ...flow({ s: start, t: each(source) }, ['s>t']),
      language: 'javascript' as const,
      prelude: 'n8n' as const,
    };
    const read = async (name: string) => {
      const workflow = await storeWorkflow(definition);
      const { workspaceId } = workflow;
      await prismaClient().variable.create({ data: { workspaceId, name, value: 'https://own.example/' } });
      return (await (await startRun(workflow)).finish()).output;
    };
    const address = `${getRuntime().env.apiBaseUrl}/`;
    expect(await read('OTHER')).toEqual([{ url: address, other: 'https://own.example/' }]);
    expect(await read('WEBHOOK_URL')).toEqual([{ url: 'https://own.example/', other: null }]);
  });

  test('what n8n refuses fails', async () => {
    expect(await run({ s: start, t: each('$secrets.key') }, ['s>t'], {})).toMatchObject({ code: 'EXPRESSION' });
    expect(await run({ s: start, t: each('$("Nobody").first()') }, ['s>t'], {})).toMatchObject({ code: 'EXPRESSION' });
  });

  test('an item leads to the items that it came from, through ports', async () => {
    const nodes: Record<string, Sketch> = {
      s: start,
      a: { ...each('[{ n: 1, k: "a" }, { n: 2, k: "b" }]', 'Data'), each: { flatten: true } },
      b: each('({ n: $json.n })', 'Set'),
      c: { type: 'condition', name: 'Filter', config: { expression: '$json.n > 1' }, each: {} },
      d: each('({ k: $("Data").item.json.k, ran: $("Set").isExecuted })', 'Get'),
    };
    expect(await run(nodes, ['s>a', 'a>b', 'b>c', 'c:true>d'], {})).toMatchObject({ d: [{ k: 'b', ran: true }] });
  });

  test('code gives items, and says where each came from', async () => {
    const nodes: Record<string, Sketch> = {
      s: start,
      a: { ...each('[{ n: 1 }, { n: 2 }]', 'Data'), each: { flatten: true } },
      b: {
        type: 'code',
        name: 'Code',
        config: {
          source:
            'return $input.all().map((one, index) => ({ json: { m: one.json.n * 2 }, pairedItem: index })).reverse();',
        },
      },
      c: each('({ m: $json.m, n: $("Data").item.json.n })', 'Get'),
      d: {
        type: 'code',
        name: 'Each',
        config: { source: 'return n8n.forEachItem(async () => {\nreturn { x: $json.m + $itemIndex };\n});' },
      },
    };
    expect(await run(nodes, ['s>a', 'a>b', 'b>c', 'c>d'], {})).toEqual([{ x: 4 }, { x: 3 }]);
    expect(await run({ ...nodes, d: each('$json', 'End') }, ['s>a', 'a>b', 'b>c', 'c>d'], {})).toEqual([
      { m: 4, n: 2 },
      { m: 2, n: 1 },
    ]);
  });

  test('code reads what is wrong with JSON of any length', async () => {
    const source = `try { JSON.parse('"' + 'a'.repeat(5_000_000)); } catch (error) { return [{ says: error.message }]; }`;
    const says = 'Unterminated string in JSON at position 5000001 (line 1 column 5000002)';
    expect(await run({ s: start, c: { type: 'code', name: 'Code', config: { source } } }, ['s>c'], {})).toEqual([
      { says },
    ]);
  });

  test('code has bytes, and digests of texts', async () => {
    const source = `const { createHash, createHmac } = require('crypto');
      const bytes = Buffer.concat([Buffer.from('hé'), Buffer.from('YQ==', 'base64')]);
      return [{
        text: bytes.toString(), hex: bytes.toString('hex'), base64: bytes.toString('base64'), size: bytes.length,
        md5: createHash('md5').update('a').update('b').digest('hex'),
        hmac: createHmac('sha256', 'k').update('a').digest('base64'),
        isBuffer: Buffer.isBuffer(bytes),
        day: require('luxon').DateTime.fromISO('2024-05-06').plus({ days: 1 }).toISODate(),
      }];`;
    const code: Sketch = { type: 'code', name: 'Code', config: { source } };
    expect(await run({ s: start, c: code }, ['s>c'], {})).toEqual([
      {
        text: 'héa',
        hex: '68c3a961',
        base64: 'aMOpYQ==',
        size: 4,
        md5: '187ef4436122d1cc2f40dc2b92f0eba0',
        hmac: createHmac('sha256', 'k').update('a').digest('base64'),
        isBuffer: true,
        day: '2024-05-07',
      },
    ]);
    const other: Sketch = { type: 'code', name: 'Code', config: { source: 'return require("fs")' } };
    expect(await run({ s: start, c: other }, ['s>c'], {})).toMatchObject({
      message: expect.stringContaining('The module “fs” is not available'),
    });
  });

  test('an empty list ends the branch', async () => {
    const nodes: Record<string, Sketch> = {
      s: start,
      a: { ...each('[]', 'None'), each: { flatten: true } },
      b: { type: 'code', name: 'Code', config: { source: 'return [{ json: { count: $input.all().length } }];' } },
      p: { ...each('[]', 'Always'), each: { flatten: true, onEmpty: 'pass' } },
    };
    expect(await run({ s: start, a: nodes['a'] as Sketch, b: nodes['b'] as Sketch }, ['s>a', 'a>b'], {})).toEqual(null);
    expect(await run({ s: start, p: nodes['p'] as Sketch, b: nodes['b'] as Sketch }, ['s>p', 'p>b'], {})).toEqual([
      { count: 1 },
    ]);
  });
});
