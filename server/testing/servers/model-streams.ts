import type { Protocol, Reply } from './model-reply';

type Frames = AsyncGenerator<object | string>;

let count = 0;
const newId = (word: string) => `${word}_${(count += 1)}`;

const piecesOf = ({ text, pieces }: Reply): AsyncIterable<string> | string[] =>
  pieces ?? (text === undefined ? [] : [text]);
const written = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given));

async function* chat(reply: Reply, model: string): Frames {
  const { calls = [], finish, usage: [input, output] = [10, 5] } = reply;
  const chunk = (choices: object[], more = {}) => ({
    id: 'chatcmpl_1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices,
    ...more,
  });
  const delta = (content: object) => chunk([{ index: 0, delta: content, finish_reason: null }]);
  yield delta({ role: 'assistant', content: '' });
  for await (const content of piecesOf(reply)) yield delta({ content });
  for (const [index, call] of calls.entries())
    yield delta({
      tool_calls: [
        {
          index,
          id: call.id ?? newId('call'),
          type: 'function',
          function: { name: call.name, arguments: written(call.arguments) },
        },
      ],
    });
  yield chunk([{ index: 0, delta: {}, finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') }]);
  yield chunk([], { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } });
  yield '[DONE]';
}

async function* responses(reply: Reply, model: string): Frames {
  const { calls = [], finish, usage: [input, output] = [10, 5] } = reply;
  const id = newId('resp');
  yield { type: 'response.created', response: { id, created_at: 1_700_000_000, model, service_tier: null } };
  const message = { type: 'message', id: newId('msg'), role: 'assistant', status: 'completed', content: [] };
  let isBegun = false;
  for await (const delta of piecesOf(reply)) {
    if (!isBegun) yield { type: 'response.output_item.added', output_index: 0, item: message };
    isBegun = true;
    yield { type: 'response.output_text.delta', item_id: message.id, output_index: 0, content_index: 0, delta };
  }
  if (isBegun) yield { type: 'response.output_item.done', output_index: 0, item: message };
  for (const [index, call] of calls.entries()) {
    const item = {
      type: 'function_call',
      id: newId('fc'),
      call_id: newId('call'),
      name: call.name,
      arguments: '',
      status: 'completed',
    };
    yield { type: 'response.output_item.added', output_index: index + 1, item };
    yield {
      type: 'response.output_item.done',
      output_index: index + 1,
      item: { ...item, arguments: written(call.arguments) },
    };
  }
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  const details = finish ? { reason: 'max_output_tokens' } : null;
  yield {
    type: finish ? 'response.incomplete' : 'response.completed',
    response: { incomplete_details: details, usage, service_tier: null },
  };
}

async function* messages(reply: Reply, model: string): Frames {
  const { calls = [], finish, usage: [input, output] = [10, 5] } = reply;
  const begun = { id: newId('msg'), type: 'message', role: 'assistant', model, content: [] };
  yield {
    type: 'message_start',
    message: { ...begun, stop_reason: null, usage: { input_tokens: input, output_tokens: 0 } },
  };
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  for await (const text of piecesOf(reply))
    yield { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } };
  yield { type: 'content_block_stop', index: 0 };
  for (const [at, call] of calls.entries()) {
    const index = at + 1;
    yield {
      type: 'content_block_start',
      index,
      content_block: { type: 'tool_use', id: newId('toolu'), name: call.name, input: {} },
    };
    yield {
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: written(call.arguments) },
    };
    yield { type: 'content_block_stop', index };
  }
  const stop_reason = finish ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn';
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } };
  yield { type: 'message_stop' };
}

async function* gemini(reply: Reply, model: string): Frames {
  const { calls = [], finish, usage: [input, output] = [10, 5] } = reply;
  const candidate = (parts: object[], more = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
    modelVersion: model,
  });
  for await (const text of piecesOf(reply)) yield candidate([{ text }]);
  yield {
    ...candidate(
      calls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } })),
      { finishReason: finish ? 'MAX_TOKENS' : 'STOP' },
    ),
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
  };
}

const STREAMS: Record<Protocol, (reply: Reply, model: string) => Frames> = { chat, responses, messages, gemini };

/** An answer as server-sent events. */
export async function* streamOf(protocol: Protocol, reply: Reply, model: string): AsyncGenerator<string> {
  for await (const frame of STREAMS[protocol](reply, model)) {
    const { type } = frame as { type?: string };
    yield `${type ? `event: ${type}\n` : ''}data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`;
  }
}
