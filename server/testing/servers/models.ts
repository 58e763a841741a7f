import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { listenOn, textOf } from '../listen';
import type { Protocol, Reply } from './model-reply';
import { streamOf } from './model-streams';

/** A request that a provider has received. */
export interface ModelRequest {
  protocol: Protocol;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** The other side of the protocols of language models: it says what the test tells it to. */
export interface Models {
  url: string;
  requests: ModelRequest[];
  /** What is answered from now on, by the number of the request from then on. */
  say(reply: (request: ModelRequest, index: number) => Reply | Promise<Reply>): void;
  /** The same, in order; the last one repeats. */
  sayInTurn(...replies: Reply[]): void;
  close(): Promise<void>;
}

const PROTOCOLS: [RegExp, Protocol][] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/\/messages$/, 'messages'],
  [/:(?:g|streamG)enerateContent(?:\?|$)/, 'gemini'],
];

const ERRORS: Record<Protocol, (message: string) => object> = {
  chat: (message) => ({ error: { message, type: 'invalid_request_error' } }),
  responses: (message) => ({ error: { message, type: 'invalid_request_error' } }),
  messages: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
  gemini: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
};

let count = 0;
const newId = (word: string) => `${word}_${(count += 1)}`;

const ANSWERS: Record<Protocol, (reply: Reply, model: string) => object> = {
  chat: ({ text = null, calls = [], finish, usage: [input, output] = [10, 5] }, model) => ({
    id: newId('chatcmpl'),
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [
      {
        index: 0,
        finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        message: {
          role: 'assistant',
          content: text,
          ...(calls.length > 0 && {
            tool_calls: calls.map((call) => ({
              id: call.id ?? newId('call'),
              type: 'function',
              function: { name: call.name, arguments: argumentsOf(call) },
            })),
          }),
        },
      },
    ],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }),
  responses: ({ text, calls = [], finish, usage: [input, output] = [10, 5] }, model) => ({
    id: newId('resp'),
    object: 'response',
    created_at: 1_700_000_000,
    status: finish ? 'incomplete' : 'completed',
    incomplete_details: finish ? { reason: 'max_output_tokens' } : null,
    model,
    output: [
      ...(text === undefined
        ? []
        : [
            {
              type: 'message',
              id: newId('msg'),
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ]),
      ...calls.map((call) => ({
        type: 'function_call',
        id: newId('fc'),
        call_id: newId('call'),
        name: call.name,
        arguments: argumentsOf(call),
        status: 'completed',
      })),
    ],
    usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
  }),
  messages: ({ text, calls = [], finish, usage: [input, output] = [10, 5] }, model) => ({
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: newId('toolu'), name: call.name, input: call.arguments })),
    ],
    stop_reason: finish ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }),
  gemini: ({ text, calls = [], finish, usage: [input, output] = [10, 5] }, model) => ({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...calls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } })),
          ],
        },
        finishReason: finish ? 'MAX_TOKENS' : 'STOP',
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: model,
  }),
};

/** Arguments as a provider sends them: as text, which may be no JSON. */
const argumentsOf = ({ arguments: given }: { arguments: unknown }) =>
  typeof given === 'string' ? given : JSON.stringify(given);

export async function startModels(): Promise<Models> {
  const requests: ModelRequest[] = [];
  let first = 0;
  let reply: (request: ModelRequest, index: number) => Reply | Promise<Reply> = () => ({ text: 'Hello' });
  const { url, close } = await listenOn(async (incoming, response) => {
    const path = incoming.url ?? '';
    if (incoming.method === 'GET') return send(response, 200, { data: [{ id: 'model-a' }, { id: 'model-b' }] });
    const [, protocol = 'chat'] = PROTOCOLS.find(([pattern]) => pattern.test(path)) ?? [];
    const body = JSON.parse(await textOf(incoming)) as Record<string, unknown>;
    const request = { protocol, path, headers: incoming.headers, body };
    const index = requests.push(request) - 1 - first;
    const said = await reply(request, index);
    if (said.status !== undefined)
      return send(response, said.status, ERRORS[protocol](said.error ?? 'refused'), said.headers);
    const model = String(body['model'] ?? 'model');
    if (body['stream'] !== true && !path.includes(':streamGenerateContent'))
      return send(response, 200, ANSWERS[protocol](said, model), said.headers);
    response.writeHead(200, { 'content-type': 'text/event-stream', ...said.headers });
    // A run that is cancelled aborts its call.
    await pipeline(streamOf(protocol, said, model), response).catch(() => undefined);
  });
  const say: Models['say'] = (next) => {
    first = requests.length;
    reply = next;
  };
  return {
    url,
    requests,
    say,
    sayInTurn: (...replies) => say((_, index) => replies[Math.min(index, replies.length - 1)] ?? {}),
    close,
  };
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  // The client may be gone: cancelled runs abort their calls.
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
