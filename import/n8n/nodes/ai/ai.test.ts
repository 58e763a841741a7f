import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from '../../convert';

const AI = '@n8n/n8n-nodes-langchain.';
const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  parameters,
  typeVersion: 2,
  position: [0, 0],
  ...more,
});
const link = (name: string, kind = 'main') => [[{ node: name, type: kind, index: 0 }]];
const OPENAI = node('Model', `${AI}lmChatOpenAi`, { model: { __rl: true, value: 'gpt-4o' }, options: {} });

/** A node that stands alone: the expressions of files with such nodes are converted to JSONata. */
const FORMER = node('Former', `${AI}textClassifier`);

/** The import of nodes that follow each other. `parts`: nodes of the second one, by the kind of their connection. */
function imported(
  chain: { name: string }[],
  parts: Record<string, { name: string }[]> = {},
  others: { name: string }[] = [FORMER],
) {
  const owner = chain[1]?.name ?? '';
  const main = chain.slice(1).map((one, index) => [chain[index]?.name ?? '', { main: link(one.name) }]);
  const attached = Object.entries(parts).flatMap(([kind, nodes]) =>
    nodes.map(({ name }) => [name, { [kind]: link(owner, kind) }]),
  );
  const nodes = [...chain, ...Object.values(parts).flat(), ...others];
  const result = importN8n({
    name: 'Theirs',
    nodes,
    connections: Object.fromEntries([...main, ...attached]) as object,
  });
  const byId = Object.fromEntries(result.definition.nodes.map((one) => [one.id, one]));
  const said = Object.fromEntries(result.report.map(({ node: name, outcome, message }) => [name, [outcome, message]]));
  return { ...result, byId, said };
}
const GO = node('Go', 'webhook');
const LAST = (value: string) =>
  node('Last', 'set', { assignments: { assignments: [{ name: 'x', value, type: 'string' }] } }, { typeVersion: 3.4 });
const isValid = async (definition: WorkflowDefinition) =>
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);

describe('an agent of n8n', () => {
  const file = path.join(import.meta.dirname, '../../fixtures/shop-assistant.json');
  const { definition, report } = importN8n(JSON.parse(readFileSync(file, 'utf8')));
  const [, agent, answer] = definition.nodes;

  it('has its model, memory and output parser as fields', () => {
    expect(agent).toMatchObject({
      type: 'agent',
      config: {
        model: 'claude-sonnet-4-5',
        temperature: 0.2,
        maxTokens: 2000,
        instructions: 'You help {{ input.body.customer }}.',
        input: '{{ input.body.question }}',
        maxSteps: 6,
        memory: { key: '{{ input.body.customer }}', window: 16 },
        outputSchema: {
          type: 'object',
          properties: {
            reply: { type: 'string' },
            isSolved: { type: 'boolean' },
            tags: { type: 'array', items: { type: 'string' } },
          },
          required: ['reply', 'isSolved', 'tags'],
        },
      },
    });
    expect(answer?.config).toEqual({ fields: { reply: '{{ nodes.assistant.object.reply }}' } });
  });

  it('has its tools, whose arguments are what a model may choose', () => {
    expect(agent?.config['tools']).toEqual([
      {
        name: 'find_order',
        description: 'Finds an order by its number',
        type: 'http_request',
        config: {
          url: 'https://shop.example.com/orders/{{ input.number }}',
          method: 'GET',
          query: { customer: '{{ execution.input.body.customer }}' },
        },
        inputSchema: {
          type: 'object',
          properties: { number: { type: 'string', description: 'The number of the order' } },
          required: ['number'],
        },
      },
      {
        name: 'weather',
        description: 'The weather at a place',
        type: 'http_request',
        config: {
          url: 'https://weather.example.com/now/{{ input.place }}',
          method: 'GET',
          query: { days: '{{ input.days }}', unit: 'c' },
        },
        inputSchema: {
          type: 'object',
          properties: { place: { type: 'string', description: 'A city' }, days: { type: 'string' } },
          required: ['place', 'days'],
        },
      },
      {
        name: 'send_a_mail',
        description: 'Send a mail',
        type: 'connector',
        config: {
          connectorId: 'google',
          operation: 'gmail.send',
          parameters: { to: '{{ input.To }}', subject: '{{ input.Subject }}', html: '{{ input.Message }}' },
        },
        inputSchema: {
          type: 'object',
          properties: { To: { type: 'string' }, Subject: { type: 'string' }, Message: { type: 'string' } },
          required: ['To', 'Subject'],
        },
      },
    ]);
  });

  it('says what is missing, for each part', () => {
    expect(report.map(({ node: name, outcome, message }) => `${name}: ${outcome}. ${message}`)).toEqual([
      expect.stringMatching(/^Question: converted/),
      'Assistant: partly. Its tool send_a_mail needs attention. Its tool “Calculator” is left out. Choose a credential of the kind Language model: anthropic. Left out of its model: topK.',
      'Claude: converted. It is the model of “Assistant”.',
      'Memory: converted. It is the memory of “Assistant”.',
      'Find order: converted. It is the tool find_order of “Assistant”.',
      'Weather: converted. It is the tool weather of “Assistant”.',
      'Send a mail: partly. It is the tool send_a_mail of “Assistant”. Choose an account of Google.',
      'Calculator: left out. Add code as a tool that calculates.',
      'Parser: converted. It is the output schema of “Assistant”.',
      'Answer: converted. ',
    ]);
  });

  it('runs for each item of a list, and its tools read that item', () => {
    const { byId } = imported(
      [
        node('Split', 'splitOut', { fieldToSplitOut: 'list' }),
        node('Agent', `${AI}agent`, { promptType: 'define', text: '={{ $json.task }}' }),
        LAST('={{ $json.output }}'),
      ],
      {
        ai_languageModel: [OPENAI],
        ai_tool: [node('Get', 'httpRequestTool', { url: "=https://a.example/{{ $json.id }}/{{ $fromAI('b') }}" })],
      },
    );
    const inner = (byId['agent']?.config['body'] as WorkflowDefinition | undefined)?.nodes[1];
    expect(inner?.config).toMatchObject({
      input: '{{ input.item.task }}',
      tools: [{ config: { url: 'https://a.example/{{ nodes.agent_item.item.id }}/{{ input.b }}' } }],
    });
    expect(byId['last']?.config['expression']).toContain('[nodes.agent.text.{ "output": $ }]');
  });

  it('asks what a chat says, and says that it lacks a model', () => {
    const { byId, said } = imported([GO, node('Agent', `${AI}agent`, {}), LAST('={{ $json.output }}')]);
    expect(byId['agent']?.config).toMatchObject({ input: '{{ input.chatInput }}' });
    expect(said['Agent']).toEqual(['partly', 'Choose a credential of a language model, and a model.']);
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.agent.text }}' } });
  });

  it('answers a chat, and remembers its sessions', () => {
    const chat = path.join(import.meta.dirname, '../../fixtures/order-chat.json');
    const { definition: made, triggers } = importN8n(JSON.parse(readFileSync(chat, 'utf8')));
    expect(triggers).toEqual([
      {
        kind: 'chat',
        settings: {
          path: 'order-chat',
          title: 'Order chat',
          greeting: 'Hi there!\n\nAsk me about your order.',
          placeholder: 'Your question',
          examples: [],
          takesFiles: true,
          access: 'public',
          enabled: true,
        },
      },
    ]);
    const [, names, assistant, last] = made.nodes;
    expect(names?.config).toEqual({ expression: '$merge([input, { "chatInput": input.message }])' });
    expect(assistant?.config).toMatchObject({
      input: '{{ input.chatInput }}',
      memory: { key: '{{ input.sessionId }}', window: 20 },
    });
    expect(last?.config).toEqual({
      fields: { output: '{{ nodes.assistant.text }} (you asked: {{ nodes.when_chat_message_received.chatInput }})' },
    });
  });

  it.each([
    [{}, 'members', 'converted'],
    [{ public: true, authentication: 'n8nUserAuth' }, 'members', 'converted'],
    [{ public: true, authentication: 'basicAuth' }, 'members', 'partly'],
  ])('a chat with %j is for %s', (parameters, access, outcome) => {
    const { triggers, said } = imported([
      node('Ask us', `${AI}chatTrigger`, parameters),
      LAST('={{ $json.chatInput }}'),
    ]);
    expect(triggers).toMatchObject([{ settings: { path: 'ask-us', title: 'Ask us', access } }]);
    expect(said['Ask us']?.[0]).toBe(outcome);
  });

  it('leaves out tools whose host a model would choose, and nested agents', () => {
    const { byId, said } = imported([GO, node('Agent', `${AI}agent`, {})], {
      ai_languageModel: [OPENAI, node('Second', `${AI}lmChatGroq`, {})],
      ai_tool: [
        node('Any', 'httpRequestTool', { url: "={{ $fromAI('url') }}" }),
        node('Helper', `${AI}agentTool`, {}),
        node('Rows', 'mongoDbTool', {}),
        node('Flow', `${AI}toolWorkflow`, { name: 'ask flow', description: 'Asks', workflowId: { value: 'x' } }),
        node('Flow 2', `${AI}toolWorkflow`, {
          workflowInputs: { value: { id: "={{ $fromAI('id', 'An id', 'number') }}" } },
        }),
        node('Sum', `${AI}toolCode`, { name: 'ask flow', jsCode: 'return query.length;' }),
      ],
    });
    expect(byId['agent']?.config['tools']).toMatchObject([
      { name: 'ask_flow', description: 'Asks', type: 'sub_workflow', config: {}, inputSchema: { required: ['query'] } },
      {
        name: 'flow_2',
        config: { input: { id: '{{ input.id }}' } },
        inputSchema: { properties: { id: { type: 'number', description: 'An id' } } },
      },
      { name: 'ask_flow_2', type: 'code', config: { source: 'const query = input.query;\nreturn query.length;' } },
    ]);
    expect(said['Any']).toEqual(['left out', 'Its address has no fixed host, which a tool of Weft needs.']);
    expect(said['Helper']?.[1]).toMatch(/^An agent is no tool/);
    expect(said['Rows']?.[0]).toBe('left out');
    expect(said['Second']?.[0]).toBe('left out');
    expect(said['Flow']).toEqual(['partly', 'It is the tool ask_flow of “Agent”. Choose its workflow.']);
  });
});

describe('other nodes of n8n for language models', () => {
  it('keep their expressions where no node has tools, and give items', async () => {
    const { byId, said, definition } = imported(
      [GO, node('Chain', `${AI}chainLlm`, { promptType: 'define', text: '=Sum up {{ $json.body.text }}' })],
      { ai_languageModel: [OPENAI] },
      [],
    );
    expect(definition).toMatchObject({ language: 'javascript', prelude: 'n8n' });
    expect(byId['chain_call']).toMatchObject({
      type: 'llm',
      config: { model: 'gpt-4o', prompt: 'Sum up {{ $json.body.text }}' },
      each: {},
    });
    expect(said['Model']).toEqual(['converted', 'It is the model of “Chain”.']);
    expect(byId['chain']?.config['expression']).toContain('path: "text"');
    expect(byId['chain']?.config['expression']).toContain('shape: (answer) => ({ "text": answer })');
    await isValid(definition);
  });

  it('the former node of OpenAI is an llm', async () => {
    const prompt = { messages: [{ role: 'system', content: 'Be brief' }, { content: '=Hi {{ $json.body.name }}' }] };
    const { definition, byId } = imported([
      GO,
      node('Ask', 'openAi', { resource: 'chat', chatModel: 'gpt-4o', prompt, options: { maxTokens: 50 } }),
      LAST('={{ $json.message.content }}'),
    ]);
    expect(byId['ask']).toMatchObject({
      type: 'llm',
      config: { model: 'gpt-4o', system: 'Be brief', prompt: 'Hi {{ input.body.name }}', maxTokens: 50 },
    });
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.ask.text }}' } });
    const text = imported([GO, node('Ask', 'openAi', { prompt: 'Hi' }), LAST('={{ $json.text }}')]);
    expect(text.byId['ask']).toMatchObject({ type: 'llm', config: { prompt: 'Hi' } });
    expect(imported([GO, node('Ask', 'openAi', { resource: 'image' })]).said['Ask']?.[0]).toBe('placeholder');
    await isValid(definition);
  });

  it('a question about an image reads it before', async () => {
    const parameters = {
      resource: 'image',
      operation: 'analyze',
      modelId: { value: 'gpt-4o' },
      text: '={{ $json.body.ask }}',
    };
    const { definition, byId, said } = imported([
      GO,
      node('Look', `${AI}openAi`, { ...parameters, imageUrls: '={{ $json.body.url }}' }, { typeVersion: 1.8 }),
      LAST('={{ $json.content }}'),
    ]);
    expect(byId['look_image']).toMatchObject({ config: { url: '{{ input.body.url }}', responseType: 'file' } });
    expect(byId['look']).toMatchObject({
      type: 'llm',
      config: { model: 'gpt-4o', prompt: '{{ execution.input.body.ask }}', files: '{{ input.body }}' },
    });
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.look.text }}' } });
    expect(said['Look']).toEqual(['partly', 'Choose a credential of the kind Language model: openai.']);
    await isValid(definition);
    const file = imported([GO, node('Look', `${AI}openAi`, { ...parameters, inputType: 'base64' })]);
    expect(file.byId['look']?.config['files']).toBe('{{ input }}');
    expect(file.said['Look']?.[1]).toContain('Choose the file of the image');
  });

  it('code in Python is a tool, too', () => {
    const { byId } = imported([GO, node('Agent', `${AI}agent`)], {
      ai_tool: [node('Add', `${AI}toolCode`, { language: 'python', pythonCode: 'return len(query)' })],
    });
    expect(byId['agent']?.config['tools']).toMatchObject([
      { type: 'code', config: { language: 'python', source: 'query = _query = input["query"]\nreturn len(query)' } },
    ]);
  });

  it('a chain is an llm: its messages, and what it gives', () => {
    const { byId } = imported(
      [
        GO,
        node('Chain', `${AI}chainLlm`, {
          promptType: 'define',
          text: '=Sum up {{ $json.body.text }}',
          messages: {
            messageValues: [
              { message: 'Be short.' },
              { type: 'HumanMessagePromptTemplate', message: 'Hi' },
              { type: 'AIMessagePromptTemplate', message: 'Yes?' },
            ],
          },
        }),
        LAST('={{ $json.text }}'),
      ],
      { ai_languageModel: [node('Local', `${AI}lmChatOllama`, { model: 'llama3.2' })] },
    );
    expect(byId['chain']).toMatchObject({
      type: 'llm',
      config: {
        model: 'llama3.2',
        system: 'Be short.',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: 'Sum up {{ input.body.text }}' },
        ],
      },
    });
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.chain.text }}' } });
  });

  it.each([
    [`${AI}openAi`, 1.8, { messages: { values: [{ content: 'Hi', role: 'user' }] } }, '={{ $json.message.content }}'],
    [
      `${AI}openAi`,
      2,
      { responses: { values: [{ content: 'Hi', role: 'user' }] } },
      '={{ $json.output[0].content[0].text }}',
    ],
    [`${AI}anthropic`, 1, { messages: { values: [{ content: 'Hi' }] } }, '={{ $json.content[0].text }}'],
    [`${AI}googleGemini`, 1, { messages: { values: [{ content: 'Hi' }] } }, '={{ $json.content.parts[0].text }}'],
  ])('%s %d is an llm whose answer others find', async (type, typeVersion, parameters, expression) => {
    const { byId, definition } = imported([
      GO,
      node('Ask', type, { modelId: { value: 'models/a-model' }, ...parameters }, { typeVersion }),
      LAST(expression),
    ]);
    await isValid(definition);
    expect(byId['ask']).toMatchObject({ type: 'llm', config: { model: 'a-model', prompt: 'Hi' } });
    expect(JSON.stringify(byId['last']?.config)).toContain('nodes.ask.text');
  });

  it('one with tools is an agent; pictures and voices are placeholders', () => {
    const tool = node('Get', 'httpRequestTool', { url: "=https://a.example/{{ $fromAI('b') }}" });
    const values = [
      { role: 'system', content: 'Help.' },
      { role: 'user', content: '={{ $json.q }}' },
    ];
    const { byId } = imported(
      [GO, node('Ask', `${AI}openAi`, { modelId: 'gpt-4o', messages: { values } }, { typeVersion: 1.8 })],
      {
        ai_tool: [tool],
      },
    );
    expect(byId['ask']).toMatchObject({
      type: 'agent',
      config: { model: 'gpt-4o', instructions: 'Help.', input: '{{ input.q }}', tools: [{ name: 'get' }] },
    });
    const other = imported([GO, node('Draw', `${AI}openAi`, { resource: 'image', operation: 'generate' })]);
    expect(other.said['Draw']?.[0]).toBe('placeholder');
    expect(imported([GO, node('Store', `${AI}vectorStorePinecone`)]).said['Store']?.[0]).toBe('placeholder');
  });

  it('fields are extracted by a schema', () => {
    const attributes = {
      attributes: [
        { name: 'total', type: 'number', description: 'In euro', required: true },
        { name: 'due', type: 'date' },
      ],
    };
    const { byId } = imported(
      [
        GO,
        node('Extract', `${AI}informationExtractor`, { text: '={{ $json.t }}', attributes }),
        LAST('={{ $json.output.total }}'),
      ],
      {
        ai_languageModel: [OPENAI],
      },
    );
    expect(byId['extract']?.config).toMatchObject({
      prompt: '{{ input.t }}',
      outputSchema: {
        properties: { total: { type: 'number', description: 'In euro' }, due: { type: 'string' } },
        required: ['total'],
      },
    });
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.extract.object.total }}' } });
  });

  it('a classifier is an llm and a switch; what comes in passes on', () => {
    const categories = { categories: [{ category: 'Bug', description: 'Faults' }, { category: 'Idea' }] };
    const classifier = node('Sort', `${AI}textClassifier`, {
      inputText: '={{ $json.body.text }}',
      categories,
      options: { fallback: 'other' },
    });
    const { byId, definition } = imported([GO, classifier, LAST('={{ $json.body.id }}')], {
      ai_languageModel: [OPENAI],
    });
    expect(byId['sort']?.config).toMatchObject({
      prompt: '{{ input.body.text }}',
      outputSchema: { properties: { category: { enum: ['Bug', 'Idea', 'Other'] } } },
    });
    expect(byId['sort']?.config['system']).toContain('- Bug: Faults');
    expect(byId['sort_route']?.config).toMatchObject({ expression: 'nodes.sort.object.category' });
    expect(definition.connections.at(-1)).toMatchObject({ sourceNode: 'sort', targetNode: 'sort_route' });
    expect(definition.connections).toContainEqual(
      expect.objectContaining({ sourceNode: 'sort_route', sourcePort: 'Bug', targetNode: 'last' }),
    );
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ execution.input.body.id }}' } });
    const mood = imported(
      [GO, node('Mood', `${AI}sentimentAnalysis`, { inputText: 'x' }), LAST('={{ $json.sentimentAnalysis.category }}')],
      {
        ai_languageModel: [OPENAI],
      },
    );
    expect(mood.byId['mood_route']?.config).toMatchObject({ cases: [{ port: 'Positive' }, {}, {}] });
  });

  it('a text is summarized', () => {
    const { byId } = imported([GO, node('Brief', `${AI}chainSummarization`, {}), LAST('={{ $json.response.text }}')], {
      ai_languageModel: [OPENAI],
    });
    expect(byId['brief']?.config).toMatchObject({ model: 'gpt-4o', prompt: '{{ $string(input) }}' });
    expect(byId['last']?.config).toEqual({ fields: { x: '{{ nodes.brief.text }}' } });
  });
});
