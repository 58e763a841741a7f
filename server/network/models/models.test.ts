import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { setRuntime } from '@/server/platform/runtime';
import { startModels, type Models } from '@/server/testing/servers/models';
import { addTokenUsage, findKnownModel, withCost } from './catalogue';
import { findModelProvider } from '@/server/evaluation/model-libraries/providers';

let models: Models;
beforeAll(async () => {
  models = await startModels();
});
afterEach(() => setRuntime(undefined));
afterAll(() => models.close());

const useEnv = (modelsFile?: string) =>
  setRuntime({ env: { modelsFile, logLevel: 'silent' } } as unknown as Parameters<typeof setRuntime>[0]);

it('speaks the responses protocol with OpenAI itself, which keeps no answers', async () => {
  models.say(() => ({ text: 'Hello', calls: [{ name: 'look', arguments: { at: 'it' } }] }));
  const asked: string[] = [];
  const toFake: typeof fetch = (input, init) => {
    asked.push(String(input));
    return fetch(`${models.url}${new URL(String(input)).pathname}`, init);
  };
  const provider = findModelProvider({ provider: 'openai' });
  const model = await provider.open(
    'gpt-5-mini',
    { provider: 'openai', baseUrl: undefined, apiKey: 'sk-test' },
    toFake,
  );
  const { content, finishReason } = await model.doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    providerOptions: { openai: provider.options ?? {} },
  });
  expect(asked).toEqual(['https://api.openai.com/v1/responses']);
  expect(models.requests.at(-1)).toMatchObject({ protocol: 'responses', body: { store: false, model: 'gpt-5-mini' } });
  expect(content.map(({ type }) => type)).toEqual(['text', 'tool-call']);
  expect(finishReason.unified).toBe('tool-calls');
});

it('knows the price of a model by its family, and none of an unknown one', () => {
  useEnv();
  const usage = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
  expect(withCost(usage, findKnownModel('openai', 'gpt-4o-mini-2024-07-18')).costUsd).toBe(
    0.6 * 0.15 + 0.4 * 0.075 + 0.06,
  );
  expect(findKnownModel('anthropic', 'claude-haiku-4-5-20251001')?.id).toBe('claude-haiku-4-5');
  expect(withCost(usage, findKnownModel('openai_compatible', 'gpt-4o-mini'))).toEqual(usage);
  expect(findKnownModel('openai', 'gpt-4o-mini-tts')).toBeUndefined();
});

it('adds usages, and knows the cost only if it knows both', () => {
  const one = { inputTokens: 1, outputTokens: 2, costUsd: 0.1 };
  expect(addTokenUsage(undefined, one)).toEqual(one);
  expect(addTokenUsage(one, { inputTokens: 3, cachedInputTokens: 2, outputTokens: 4, costUsd: 0.2 })).toEqual({
    inputTokens: 4,
    cachedInputTokens: 2,
    outputTokens: 6,
    costUsd: 0.3,
  });
  expect(addTokenUsage(one, { inputTokens: 3, outputTokens: 4 })).toEqual({ inputTokens: 4, outputTokens: 6 });
});

it('takes prices from a file of the operator', () => {
  const file = path.join(tmpdir(), `weft-models-${process.pid}.json`);
  const own = { provider: 'openai_compatible', id: 'house-model', inputPrice: 1, outputPrice: 2 };
  const dearer = { provider: 'openai', id: 'gpt-4o', inputPrice: 99, outputPrice: 99 };
  writeFileSync(file, JSON.stringify({ updatedAt: '2026-01-01', models: [own, dearer] }));
  useEnv(file);
  expect(findKnownModel('openai_compatible', 'house-model')).toEqual(own);
  expect(findKnownModel('openai', 'gpt-4o')?.inputPrice).toBe(99);
  expect(findKnownModel('openai', 'gpt-4.1')).toBeDefined();
  useEnv(`${file}.gone`);
  expect(findKnownModel('openai', 'gpt-4o')?.inputPrice).toBe(2.5);
});
