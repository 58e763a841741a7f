import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChatReplyEvent } from '@/contract/triggers/chat-limits';
import type { LlmProvider } from '@/contract/llm';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useWorker } from '@/server/testing/worker';
import { ask, buildChat, eventsOf, newSession, send, type TestChat } from '@/server/testing/chats';
import { useDatabase } from '@/server/testing/database';
import { buildCredential, call, type TestUser } from '@/server/testing/factories';
import { flow } from '@/server/testing/flow';
import { gate } from '@/server/testing/runs';
import type { Reply } from '@/server/testing/servers/model-reply';
import { startModels, type Models } from '@/server/testing/servers/models';

useDatabase();
useWorker({ concurrency: 5 });

const KEY = 'sk-canary-4711-key-of-a-model';
let models: Models;
beforeAll(async () => {
  models = await startModels();
});
beforeEach(() => models.say(() => ({ text: 'Hello' })));
afterAll(async () => {
  await models.close();
});

const credentialOf = (user: TestUser, provider: LlmProvider) =>
  buildCredential(user, 'llm', { provider, apiKey: KEY, baseUrl: `${models.url}/v1` });

/** A chat whose workflow has the credential at its nodes with models. */
async function chatWith(definition: WorkflowDefinition, provider: LlmProvider = 'openai'): Promise<TestChat> {
  const made = await buildChat();
  const credentialId = await credentialOf(made.user, provider);
  const withCredential = ({ nodes, ...rest }: WorkflowDefinition): WorkflowDefinition => ({
    ...rest,
    nodes: nodes.map((node) => {
      if (node.type === 'for_each')
        return { ...node, config: { ...node.config, body: withCredential(node.config['body'] as WorkflowDefinition) } };
      return node.type === 'llm' || node.type === 'agent' ? { ...node, credentialId } : node;
    }),
  });
  const at = `/api/workflows/${made.workflowId}`;
  const body = { definition: withCredential(definition) };
  const changed = await call('PUT', at, { token: made.user.token, body });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  return made;
}

const asking = flow(
  { s: { type: 'start' }, ai: { type: 'llm', config: { model: 'm', prompt: '{{ input.message }}' } } },
  ['s>ai'],
);

/** An answer that stops after its first words until these have been seen: nothing depends on time. */
function stopping(first: string, rest: string) {
  const seen = gate();
  async function* pieces(): AsyncGenerator<string> {
    yield first;
    await seen.opened;
    yield rest;
  }
  return { reply: (): Reply => ({ text: first + rest, pieces: pieces() }), goOn: seen.open };
}

/** Reads the events of an answer; `onDraft` is told the preview after each piece of it. */
async function read(answer: Response, onDraft: (draft: string) => void = () => undefined): Promise<ChatReplyEvent[]> {
  const events: ChatReplyEvent[] = [];
  let [text, draft] = ['', ''];
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      const said = { event, data: JSON.parse(data) } as ChatReplyEvent;
      events.push(said);
      if (said.event !== 'partial') continue;
      draft = draft.slice(0, said.data.at) + said.data.text;
      onDraft(draft);
    }
  }
  return events;
}

const markdown = (text: string) => ({ event: 'message', data: { format: 'markdown', text } });

describe('an answer is shown while it is written', () => {
  test.each<LlmProvider>(['openai', 'anthropic', 'google', 'ollama'])('by a model of %s', async (provider) => {
    const chat = await chatWith(asking, provider);
    const { reply, goOn } = stopping('One two ', 'three');
    models.say(reply);
    const drafts: string[] = [];
    const events = await read(await send(chat, 'hello'), (draft) => {
      drafts.push(draft);
      goOn();
    });
    expect(drafts[0]).toBe('One two ');
    expect(events.at(-1)).toEqual(markdown('One two three'));
  });

  test('by an agent, in its last step after calls of tools', async () => {
    const tools = [{ name: 'now', description: 'Tells the time.', type: 'code', config: { source: 'return "noon"' } }];
    const config = { model: 'm', input: '{{ input.message }}', tools };
    const chat = await chatWith(flow({ s: { type: 'start' }, a: { type: 'agent', config } }, ['s>a']));
    const { reply, goOn } = stopping('It is ', 'noon.');
    models.say((_, index) =>
      index === 0 ? { text: 'I look at the clock. ', calls: [{ name: 'now', arguments: {} }] } : reply(),
    );
    const drafts: string[] = [];
    const events = await read(await send(chat, 'What time is it?'), (draft) => {
      drafts.push(draft);
      if (draft === 'It is ') goOn();
    });
    expect(drafts).toContain('It is ');
    expect(events.at(-1)).toEqual(markdown('It is noon.'));
  });

  test('also to a client that asks again', async () => {
    const chat = await chatWith(asking);
    const { reply, goOn } = stopping('One ', 'two');
    models.say(reply);
    const session = newSession();
    const [started] = await eventsOf(await send(chat, 'hello', { session }), 'partial');
    const again = await ask(chat, session, (started!.data as { receipt: string }).receipt);
    goOn();
    expect((await read(again)).at(-1)).toEqual(markdown('One two'));
  });

  test('without a secret that the model repeats', async () => {
    const chat = await chatWith(asking);
    const { reply, goOn } = stopping(`It is ${KEY.slice(0, 12)}`, `${KEY.slice(12)} . Keep it.`);
    models.say(reply);
    const texts: string[] = [];
    const events = await read(await send(chat, 'hello'), (draft) => {
      texts.push(draft);
      goOn();
    });
    expect(texts[0]).toBe('It is ');
    expect(JSON.stringify([texts, events])).not.toContain('sk-canary');
  });
});

test.each<[string, WorkflowDefinition]>([
  [
    'of a node whose text is not the answer',
    flow(
      {
        s: { type: 'start' },
        ai: { type: 'llm', config: { model: 'm', prompt: '{{ input.message }}' } },
        t: { type: 'transform', config: { expression: '"Done"' } },
      },
      ['s>ai', 'ai>t'],
    ),
  ],
  [
    'of a node in a loop',
    flow(
      {
        s: { type: 'start' },
        loop: {
          type: 'for_each',
          config: { items: '[1]', body: { ...asking, nodes: asking.nodes.map((node) => ({ ...node })) } },
        },
      },
      ['s>loop'],
    ),
  ],
])('the text %s is not shown', async (_, definition) => {
  const chat = await chatWith(definition);
  models.say(() => ({ text: 'Not for the reader', pieces: ['Not ', 'for ', 'the reader '] }));
  const events = await read(await send(chat, 'hello'));
  expect(events.map(({ event }) => event)).not.toContain('partial');
});

test('a stream that fails is a failure of the node', async () => {
  const chat = await chatWith(asking);
  async function* broken(): AsyncGenerator<string> {
    yield 'One ';
    throw new Error('gone');
  }
  models.say(() => ({ text: 'One', pieces: broken() }));
  const events = await read(await send(chat, 'hello'));
  expect(events.at(-1)?.event).toBe('error');
});
