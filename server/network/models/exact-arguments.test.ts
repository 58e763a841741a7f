import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LlmProvider } from '@/contract/llm';
import { NO_SECRETS_REDACTOR } from '@/server/evaluation/redaction/redactor';
import { useEvaluation } from '@/server/testing/evaluation';
import { listenOn } from '@/server/testing/listen';
import { generateReply } from './generate';

useEvaluation();

let server: Awaited<ReturnType<typeof listenOn>>;
let answer: (response: ServerResponse) => void;
beforeAll(async () => {
  server = await listenOn((_, response) => answer(response));
});
afterAll(() => server.close());

const ID = '9223372036854775807';
const ids = `{"id":${ID},"text":"${ID}","list":[-${ID},1e20,7]}`;
const EXACT = { id: ID, text: ID, list: [`-${ID}`, 1e20, 7] };

const whole = (body: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
const events = (body: string) => (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${body}\n\n`);

const anthropic = (input: string) =>
  `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t1","name":"store","input":${input}}],
    "stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}`;
const google = (args: string) =>
  `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"store","args":${args}}}]},"finishReason":"STOP","index":0}],` +
  `"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":${ID}}}`;
/** More values than the library of a provider gets on the main thread. */
const many = `{"rows":[${Array(2000).fill('1').join()}],${ids.slice(1)}`;

it.each<[string, LlmProvider, (response: ServerResponse) => unknown, boolean]>([
  ['Anthropic', 'anthropic', whole(anthropic(ids)), false],
  ['Google', 'google', whole(google(ids)), false],
  ['Google, as a stream', 'google', events(google(ids)), true],
  ['Anthropic, read in an evaluator process', 'anthropic', whole(anthropic(many)), false],
  ['Google, as a stream that is read in an evaluator process', 'google', events(google(many)), true],
])('arguments of tools keep integers that a double would round: %s', async (_, provider, given, isStreamed) => {
  answer = given;
  const { content } = await generateReply({
    credential: { workspaceId: 'ws_1', name: 'x', type: 'llm', config: { provider, baseUrl: server.url, apiKey: 'k' } },
    model: 'm',
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    tools: [{ type: 'function', name: 'store', inputSchema: { type: 'object' } }],
    signal: new AbortController().signal,
    secrets: NO_SECRETS_REDACTOR,
    onText: isStreamed ? () => undefined : undefined,
  });
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input) as object] : []));
  expect(calls).toEqual([expect.objectContaining(EXACT)]);
});
