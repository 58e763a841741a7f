import type { LlmProvider } from '@/contract/llm';
import { createReplyWriter } from '@/server/engine/attempt/answer-writer';
import { generateReply } from '@/server/network/models/generate';
import { NO_SECRETS_REDACTOR, createRedactor } from '@/server/evaluation/redaction/redactor';
import { listenOn } from '../../listen';
import { GROWTH_WORKSPACE, neverAborted, repeated, type HostileServer } from '../hostile-server';

interface Answer {
  text: string;
  isWhole?: boolean;
  /** Those of the credentials of the run. */
  secrets?: string[];
}

/** A server of language models that is asked for one answer. */
const model = (provider: LlmProvider, largest: number, answer: (size: number) => Answer): HostileServer => ({
  largest,
  async start(size) {
    const { text, isWhole = false, secrets = [] } = answer(size);
    const type = isWhole ? 'application/json' : 'text/event-stream';
    const { url, close } = await listenOn((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': type }).end(text);
    });
    const config = { provider, baseUrl: url, apiKey: 'secret' };
    const masking = { ...createRedactor(secrets), all: secrets };
    return {
      credential: { type: 'llm', config },
      url,
      call: () =>
        generateReply({
          credential: { workspaceId: GROWTH_WORKSPACE, name: 'Growth', type: 'llm', config },
          model: 'x',
          prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
          signal: neverAborted(),
          secrets: NO_SECRETS_REDACTOR,
          ...(isWhole ? {} : { onText: createReplyWriter('exe_growth', masking, () => undefined) }),
        }),
      close,
    };
  },
});

const data = (json: string, event?: string): string => `${event ? `event: ${event}\n` : ''}data: ${json}\n\n`;
const list = (item: string, size: number): string => repeated(`${item},`, size).slice(0, -1);

const chunk = (delta: string) => data(`{"id":"c","created":1,"model":"m","choices":[{"index":0,"delta":${delta}}]}`);
const piece = (text: string) => chunk(`{"content":${JSON.stringify(text)}}`);
const ofTool = (more: string, text: string) =>
  chunk(
    `{"tool_calls":[{"index":0,${more}"function":{${more ? '"name":"f",' : ''}"arguments":${JSON.stringify(text)}}}]}`,
  );
const delta = (text: string) =>
  data(
    `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}`,
    'content_block_delta',
  );
const MESSAGE = data(
  '{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}',
  'message_start',
);
const TEXT_BLOCK = data('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}');
const TOOL_BLOCK = data(
  '{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}',
);
const ofArguments = data(
  '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":" "}}',
);
const candidate = (text: string) =>
  data(`{"candidates":[{"content":{"role":"model","parts":[{"text":"${text}"}]},"index":0}]}`);

/** Secrets of several words, whose beginnings the text repeats. */
const LONG_SECRETS = [`${'a '.repeat(4000)}b`, `${'a '.repeat(4001)}c`];

const KIB = 1024;

export const modelServers: Record<string, HostileServer> = {
  'model: small pieces of text (chat)': model('ollama', 1200 * KIB, (size) => ({ text: repeated(piece('x'), size) })),
  'model: text like the beginning of long secrets (chat)': model('ollama', 80 * KIB, (size) => ({
    text: piece('a '.repeat(size / 2)) + piece(' a'),
    secrets: LONG_SECRETS,
  })),
  'model: empty events (chat)': model('ollama', 4 * 1024 * KIB, (size) => ({ text: repeated('data:\n\n', size) })),
  'model: events that are no JSON (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: repeated('data: {\n\n', size),
  })),
  'model: events that are no pieces (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: repeated('data: {"choices":[1]}\n\n', size),
  })),
  'model: a large event (chat)': model('ollama', 1200 * KIB, (size) => ({ text: piece(repeated('x', size)) })),
  'model: an event of many lines (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: `${repeated('data: 1\n', size)}\n`,
  })),
  'model: an event without end (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: `data: ${repeated('x', size)}`,
  })),
  'model: an event with many wrong choices (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: data(`{"choices":[${list('1', size)}]}`),
  })),
  'model: deep JSON (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: data(`{"choices":${'['.repeat(size / 2)}${']'.repeat(size / 2)}}`),
  })),
  'model: arguments of a tool in small pieces (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: ofTool('"id":"t","type":"function",', '{') + repeated(ofTool('', '"'), size),
  })),
  'model: an answer with many wrong choices (chat)': model('ollama', 1200 * KIB, (size) => ({
    text: `{"choices":[${list('1', size)}]}`,
    isWhole: true,
  })),
  'model: an answer with many calls (chat)': model('openai_compatible', 1200 * KIB, (size) => ({
    text: `{"choices":[{"index":0,"message":{"role":"assistant","tool_calls":[${list('{"id":"t","type":"function","function":{"name":"f","arguments":"{}"}}', size)}]},"finish_reason":"stop"}]}`,
    isWhole: true,
  })),
  'model: small pieces of text (messages)': model('anthropic', 1200 * KIB, (size) => ({
    text: MESSAGE + TEXT_BLOCK + repeated(delta('x'), size),
  })),
  'model: arguments of a tool in small pieces (messages)': model('anthropic', 1200 * KIB, (size) => ({
    text: MESSAGE + TOOL_BLOCK + repeated(ofArguments, size),
  })),
  'model: many blocks (messages)': model('anthropic', 1200 * KIB, (size) => ({
    text: MESSAGE + repeated(TEXT_BLOCK, size),
  })),
  'model: small pieces of text (gemini)': model('google', 1200 * KIB, (size) => ({
    text: repeated(candidate('x'), size),
  })),
  'model: many parts (gemini)': model('google', 1200 * KIB, (size) => ({
    text: data(`{"candidates":[{"content":{"role":"model","parts":[${list('{"text":"x"}', size)}]},"index":0}]}`),
  })),
  'model: wrong parts (gemini)': model('google', 1200 * KIB, (size) => ({
    text: data(`{"candidates":[{"content":{"role":"model","parts":[${list('1', size)}]},"index":0}]}`),
  })),
};
