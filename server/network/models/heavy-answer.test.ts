import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlmProvider } from '@/contract/llm';
import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { useEvaluation } from '@/server/testing/evaluation';
import { startModels, type Models } from '@/server/testing/servers/models';
import { generateReply } from './generate';
import { ServerEventGate, isHeavyReply } from './heavy-reply';

useEvaluation();

let models: Models;
beforeAll(async () => {
  models = await startModels();
});
afterAll(() => models.close());

const ask = (provider: LlmProvider, onText?: (text: string) => void) =>
  generateReply({
    credential: {
      workspaceId: 'ws_test',
      name: 'x',
      type: 'llm',
      config: { provider, baseUrl: models.url, apiKey: 'k' },
    },
    model: 'm',
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [{ type: 'function', name: 'store', inputSchema: { type: 'object' } }],
    signal: new AbortController().signal,
    secrets: NO_SECRETS_REDACTOR,
    onText,
  });

describe.each(['google', 'anthropic', 'openai', 'ollama'] as const)('an answer of %s with many values', (provider) => {
  const rows = Array.from({ length: 5000 }, (_, at) => ({ at, name: `row ${at}` }));

  it.each([true, false])('is read as a small one is, streamed: %s', async (isStreamed) => {
    models.say(() => ({ text: 'Stored.', calls: [{ name: 'store', arguments: { rows } }] }));
    const shown: string[] = [];
    const { text, content, finishReason, usage } = await ask(
      provider,
      isStreamed ? (one) => shown.push(one) : undefined,
    );
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input) as unknown] : []));
    expect({ text, calls, usage }).toMatchObject({ text: 'Stored.', calls: [{ rows }], usage: { outputTokens: 5 } });
    expect(finishReason).toBe(finishReason === 'stop' ? 'stop' : 'tool-calls');
    expect(shown.at(-1)).toBe(isStreamed ? 'Stored.' : undefined);
  });
});

it('an answer that no library reads is told in a few words', async () => {
  models.say(() => ({ calls: Array.from({ length: 2000 }, () => ({ name: 'store', arguments: {} })) }));
  await expect(ask('google')).rejects.toMatchObject({
    code: 'MODEL_ANSWER',
    message: 'Google returned an answer that cannot be read: The answer of the model has more than 1000 parts.',
  });
});

describe('the gate', () => {
  const passed = (gate: ServerEventGate, ...parts: string[]) =>
    parts.flatMap((part) => [...gate.pass(Buffer.from(part))].map((events) => events?.toString()));

  it('passes whole events, a few at a time, with any line breaks', () => {
    const gate = new ServerEventGate();
    expect(passed(gate, 'data: a\r', '\n\r\nda', 'ta: b\n', '\ndata: c\r\r', 'data')).toEqual([
      'data: a\r\n\r',
      '\ndata: b\n\ndata: c\r\r',
    ]);
    expect(gate.rest.toString()).toBe('data');
    expect(passed(new ServerEventGate(), 'data:\n\n'.repeat(60)).map((events) => events?.length)).toEqual([
      175, 175, 70,
    ]);
    expect(passed(new ServerEventGate(), `data: ${'x'.repeat(3000)}\n\n`.repeat(3)).length).toBe(2);
  });

  it.each([
    ['many values', `data: [${'1,'.repeat(1500)}1]\n\n`],
    ['many bytes', `data: ${'x'.repeat(300_000)}`],
    ['many arguments of tools', `data: {"arguments":"${'x'.repeat(1000)}"}\n\n`.repeat(70)],
  ])('closes before an event with %s', (_, text) => {
    expect(passed(new ServerEventGate(), text).at(-1)).toBeUndefined();
  });

  it('stays open for any number of small events', () => {
    const gate = new ServerEventGate();
    for (let times = 0; times < 100; times += 1)
      expect(passed(gate, 'data: [1,2]\n\n'.repeat(100))).not.toContain(undefined);
  });
});

it('an answer is heavy by its bytes or its values', () => {
  expect([JSON.stringify('x'.repeat(200_000)), '[1,2]'].map((text) => isHeavyReply(Buffer.from(text)))).toEqual([
    false,
    false,
  ]);
  expect(['x'.repeat(300_000), '[1]'.repeat(2000)].map((text) => isHeavyReply(Buffer.from(text)))).toEqual([
    true,
    true,
  ]);
});
