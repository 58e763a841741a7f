import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { PURPOSE, useEvaluation } from '@/server/testing/evaluation';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importN8n } from '../../convert';

useEvaluation();

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

/** The import of nodes that follow each other. `parts`: nodes of the second one, by the kind of their connection. */
function imported(chain: { name: string }[], parts: Record<string, { name: string }[]> = {}) {
  const owner = chain[1]?.name ?? '';
  const main = chain.slice(1).map((one, index) => [chain[index]?.name ?? '', { main: link(one.name) }]);
  const attached = Object.entries(parts).flatMap(([kind, nodes]) =>
    nodes.map(({ name }) => [name, { [kind]: link(owner, kind) }]),
  );
  const nodes = [...chain, ...Object.values(parts).flat()];
  const result = importN8n({
    name: 'Theirs',
    nodes,
    connections: Object.fromEntries([...main, ...attached]) as object,
  });
  const byId = Object.fromEntries(result.definition.nodes.map((one) => [one.id, one]));
  const said = Object.fromEntries(result.report.map(({ node: name, outcome, message }) => [name, [outcome, message]]));
  const links = result.definition.connections.map(({ sourceNode, targetNode }) => `${sourceNode}>${targetNode}`);
  return { ...result, byId, said, links };
}
const GO = node('Go', 'webhook');
const LAST = (value: string) =>
  node('Last', 'set', { assignments: { assignments: [{ name: 'x', value, type: 'string' }] } }, { typeVersion: 3.4 });
const isValid = async (definition: WorkflowDefinition) =>
  expect(await definitionIssues(definition, PURPOSE)).toEqual([]);

describe('an agent of n8n', () => {
  const file = path.join(import.meta.dirname, '../../fixtures/shop-assistant.json');
  const { definition, report } = importN8n(JSON.parse(readFileSync(file, 'utf8')));
  const agent = definition.nodes.find(({ id }) => id === 'assistant_call');
  const answer = definition.nodes.find(({ id }) => id === 'answer');

  it('has its model, memory and output parser as fields', () => {
    expect(agent).toMatchObject({
      type: 'agent',
      config: {
        model: 'claude-sonnet-4-5',
        temperature: 0.2,
        maxTokens: 2000,
        instructions: 'You help {{ $json.body.customer }}.',
        input: '{{ $json.body.question }}',
        maxSteps: 6,
        memory: { key: '{{ $json.body.customer }}', window: 16 },
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
    expect(answer?.config['expression']).toContain('$json.output.reply');
  });

  it('has its tools, whose arguments are what a model may choose', () => {
    expect(agent?.config['tools']).toEqual([
      {
        name: 'find_order',
        description: 'Finds an order by its number',
        type: 'http_request',
        config: {
          url: expect.stringMatching(/^https:\/\/shop\.example\.com\/orders\/\{\{.*\$fromAI\('number'/),
          method: 'GET',
          query: { customer: expect.stringContaining('.item.json.body.customer') },
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
          url: 'https://weather.example.com/now/{{ $fromAI("place") }}',
          method: 'GET',
          query: { days: '{{ $fromAI("days") }}', unit: 'c' },
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
          parameters: {
            to: expect.stringContaining("$fromAI('To'"),
            subject: expect.stringContaining("$fromAI('Subject'"),
            html: expect.stringContaining("$fromAI('Message'"),
          },
        },
        inputSchema: {
          type: 'object',
          properties: { To: { type: 'string' }, Subject: { type: 'string' }, Message: { type: 'string' } },
          required: ['To', 'Subject'],
        },
      },
      expect.objectContaining({ name: 'calculator', type: 'code' }),
    ]);
  });

  it('says what is missing, for each part', () => {
    expect(report.map(({ node: name, outcome, message }) => `${name}: ${outcome}. ${message}`)).toEqual([
      expect.stringMatching(/^Question: converted/),
      'Assistant: partly. Choose the credential of its tool send_a_mail. Choose a credential of the kind Language model: anthropic. Left out of its model: topK.',
      'Claude: converted. It is the model of “Assistant”.',
      'Memory: converted. It is the memory of “Assistant”.',
      'Find order: converted. It is the tool find_order of “Assistant”.',
      'Weather: converted. It is the tool weather of “Assistant”.',
      'Send a mail: partly. It is the tool send_a_mail of “Assistant”. Choose an account of Google.',
      'Calculator: converted. It is the tool calculator of “Assistant”. It calculates with + - * / ^ and brackets, without functions.',
      'Parser: converted. It is the output schema of “Assistant”.',
      'Answer: converted. ',
    ]);
  });

  it('runs for each item of a list, and its tools read that item', async () => {
    const { byId, definition } = imported(
      [
        GO,
        node('Agent', `${AI}agent`, { promptType: 'define', text: '={{ $json.task }}' }),
        LAST('={{ $json.output }}'),
      ],
      {
        ai_languageModel: [OPENAI],
        ai_tool: [node('Get', 'httpRequestTool', { url: "=https://a.example/{{ $json.id }}/{{ $fromAI('b') }}" })],
      },
    );
    expect(byId['agent_call']).toMatchObject({
      config: {
        input: '{{ $json.task }}',
        tools: [{ config: { url: "https://a.example/{{ $json.id }}/{{ $fromAI('b') }}" } }],
      },
      each: {},
    });
    expect(byId['agent']?.config['expression']).toContain('shape: (answer) => ({ "output": answer })');
    await isValid(definition);
  });

  it('asks what a chat says, and says that it lacks a model', () => {
    const { byId, said } = imported([GO, node('Agent', `${AI}agent`, {}), LAST('={{ $json.output }}')]);
    expect(byId['agent_call']?.config).toMatchObject({ input: '{{ $json.chatInput }}' });
    expect(said['Agent']).toEqual(['partly', 'Choose a credential of a language model, and a model.']);
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
    const byId = Object.fromEntries(made.nodes.map((one) => [one.id, one]));
    expect(byId['when_chat_message_received_fields']?.config).toEqual({
      expression: '({ ...input, "chatInput": $json?.message })',
    });
    expect(byId['assistant_call']?.config).toMatchObject({
      input: '{{ $json.chatInput }}',
      memory: { key: '{{ $json.sessionId }}', window: 20 },
    });
    // The chat shows the text “output” of the first item.
    expect(made.nodes.at(-1)).toMatchObject({ type: 'respond', config: { body: '{{ $input.first().json }}' } });
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
        node('Rows', 'questDbTool', {}),
        node('Flow', `${AI}toolWorkflow`, { name: 'ask flow', description: 'Asks', workflowId: { value: 'x' } }),
        node('Flow 2', `${AI}toolWorkflow`, {
          workflowInputs: { value: { id: "={{ $fromAI('id', 'An id', 'number') }}" } },
        }),
        node('Sum', `${AI}toolCode`, { name: 'ask flow', jsCode: 'return query.length;' }),
      ],
    });
    expect(byId['agent_call']?.config['tools']).toMatchObject([
      { name: 'ask_flow', description: 'Asks', type: 'sub_workflow', config: {}, inputSchema: { required: ['query'] } },
      {
        name: 'flow_2',
        config: { input: { id: "{{ $fromAI('id', 'An id', 'number') }}" } },
        inputSchema: { properties: { id: { type: 'number', description: 'An id' } } },
      },
      {
        name: 'ask_flow_2',
        type: 'code',
        config: { source: expect.stringContaining('const query = $fromAI("query");') },
      },
    ]);
    expect(said['Any']).toEqual(['left out', 'Its address has no fixed host, which a tool of Weft needs.']);
    expect(said['Helper']?.[1]).toMatch(/^An agent is no tool/);
    expect(said['Rows']?.[0]).toBe('left out');
    expect(said['Second']?.[0]).toBe('left out');
    expect(said['Flow']).toEqual([
      'partly',
      'It is the tool ask_flow of “Agent”. Import the workflow “x”, too, or choose another.',
    ]);
  });
});

describe('other nodes of n8n for language models', () => {
  it('keep their expressions, and give items', async () => {
    const { byId, said, definition } = imported(
      [GO, node('Chain', `${AI}chainLlm`, { promptType: 'define', text: '=Sum up {{ $json.body.text }}' })],
      { ai_languageModel: [OPENAI] },
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
    expect(byId['ask_call']).toMatchObject({
      type: 'llm',
      config: { model: 'gpt-4o', system: 'Be brief', prompt: 'Hi {{ $json.body.name }}', maxTokens: 50 },
    });
    expect(byId['ask']?.config['expression']).toContain('{ "message": { "content": answer } }');
    const text = imported([GO, node('Ask', 'openAi', { prompt: 'Hi' }), LAST('={{ $json.text }}')]);
    expect(text.byId['ask_call']).toMatchObject({ type: 'llm', config: { prompt: 'Hi' } });
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
    const { definition, byId, said, links } = imported([
      GO,
      node('Look', `${AI}openAi`, { ...parameters, imageUrls: '={{ $json.body.url }}' }, { typeVersion: 1.8 }),
      LAST('={{ $json.content }}'),
    ]);
    expect(byId['look_image']).toMatchObject({ config: { url: '{{ $json.body.url }}', responseType: 'file' } });
    expect(byId['look_call']).toMatchObject({
      type: 'llm',
      config: { model: 'gpt-4o', prompt: '{{ $json.body.ask }}', files: '{{ input.$files?.image_to_read }}' },
    });
    expect(links).toEqual(
      expect.arrayContaining(['look_items>look_image', 'look_image>look_attach', 'look_attach>look_call']),
    );
    expect(said['Look']).toEqual(['partly', 'Choose a credential of the kind Language model: openai.']);
    await isValid(definition);
    const file = imported([GO, node('Look', `${AI}openAi`, { ...parameters, inputType: 'base64' })]);
    expect(file.byId['look_call']?.config['files']).toBe('{{ input.$files?.["data"] }}');
  });

  it('code in Python is a tool, too', () => {
    const { byId } = imported([GO, node('Agent', `${AI}agent`)], {
      ai_tool: [node('Add', `${AI}toolCode`, { language: 'python', pythonCode: 'return len(query)' })],
    });
    expect(byId['agent_call']?.config['tools']).toMatchObject([
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
    expect(byId['chain_call']).toMatchObject({
      type: 'llm',
      config: {
        model: 'llama3.2',
        system: 'Be short.',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Yes?' },
          { role: 'user', content: 'Sum up {{ $json.body.text }}' },
        ],
      },
    });
  });

  it.each([
    [
      `${AI}openAi`,
      1.8,
      { messages: { values: [{ content: 'Hi', role: 'user' }] } },
      '{ "message": { "content": answer } }',
    ],
    [`${AI}openAi`, 2, { responses: { values: [{ content: 'Hi', role: 'user' }] } }, '"output_text", "text": answer'],
    [`${AI}anthropic`, 1, { messages: { values: [{ content: 'Hi' }] } }, '"type": "text", "text": answer'],
    [`${AI}googleGemini`, 1, { messages: { values: [{ content: 'Hi' }] } }, '"parts": [{ "text": answer }]'],
  ])('%s %d is an llm whose answer others find', async (type, typeVersion, parameters, shape) => {
    const { byId, definition } = imported([
      GO,
      node('Ask', type, { modelId: { value: 'models/a-model' }, ...parameters }, { typeVersion }),
      LAST('={{ $json.a }}'),
    ]);
    await isValid(definition);
    expect(byId['ask_call']).toMatchObject({ type: 'llm', config: { model: 'a-model', prompt: 'Hi' } });
    expect(byId['ask']?.config['expression']).toContain(shape);
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
    expect(byId['ask_call']).toMatchObject({
      type: 'agent',
      config: { model: 'gpt-4o', instructions: 'Help.', input: '{{ $json.q }}', tools: [{ name: 'get' }] },
    });
    const other = imported([GO, node('Draw', `${AI}openAi`, { resource: 'image', operation: 'generate' })]);
    expect(other.said['Draw']?.[0]).toBe('placeholder');
    expect(imported([GO, node('Store', `${AI}vectorStorePinecone`)]).said['Store']?.[0]).toBe('placeholder');
  });

  it.each([
    [{ jsonSchemaExample: '[{ "title": "A" }]' }],
    [
      {
        schemaType: 'manual',
        inputSchema: JSON.stringify({
          type: 'array',
          items: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        }),
      },
    ],
  ])('a list that an output parser expects is a field of the reply: %j', (parameters) => {
    for (const [type, path] of [
      ['agent', 'agent'],
      ['chainLlm', 'chain'],
    ]) {
      const name = path === 'agent' ? 'Agent' : 'Chain';
      const { byId } = imported([GO, node(name, `${AI}${type}`, { promptType: 'define', text: 'List' })], {
        ai_languageModel: [OPENAI],
        ai_outputParser: [
          Object.assign(node('Parser', `${AI}outputParserStructured`, parameters), { typeVersion: 1.2 }),
        ],
      });
      const items = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
      expect(byId[`${path}_call`]?.config['outputSchema']).toMatchObject({
        properties: { output: { type: 'array', items } },
        required: ['output'],
      });
      expect(byId[path ?? '']?.config['expression']).toContain('{ "output": answer.output }');
    }
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
    expect(byId['extract_call']?.config).toMatchObject({
      prompt: '{{ $json.t }}',
      outputSchema: {
        properties: { total: { type: 'number', description: 'In euro' }, due: { type: 'string' } },
        required: ['total'],
      },
    });
  });

  it('a classifier is an llm, and an output for each category; what comes in passes on', async () => {
    const categories = { categories: [{ category: 'Bug', description: 'Faults' }, { category: 'Idea' }] };
    const classifier = node('Sort', `${AI}textClassifier`, {
      inputText: '={{ $json.body.text }}',
      categories,
      options: { fallback: 'other' },
    });
    const { byId, definition, links } = imported([GO, classifier, LAST('={{ $json.body.id }}')], {
      ai_languageModel: [OPENAI],
    });
    expect(byId['sort_call']?.config).toMatchObject({
      prompt: '{{ $json.body.text }}',
      outputSchema: { properties: { category: { enum: ['Bug', 'Idea', 'Other'] } } },
    });
    expect(byId['sort_call']?.config['system']).toContain('- Bug: Faults');
    expect(byId['sort']?.config['expression']).toBe('paired.sort_items');
    expect(byId['sort_output_1']?.config['expression']).toBe(
      'paired.sort_call.object.category === "Bug" ? [input] : []',
    );
    expect(links).toContain('sort_output_1>last');
    await isValid(definition);
    const mood = imported(
      [GO, node('Mood', `${AI}sentimentAnalysis`, { inputText: 'x' }), LAST('={{ $json.sentimentAnalysis.category }}')],
      { ai_languageModel: [OPENAI] },
    );
    expect(mood.byId['mood']?.config['expression']).toContain('sentimentAnalysis: paired.mood_call.object');
    expect(mood.byId['mood_output_3']?.config['expression']).toContain('"Negative"');
    await isValid(mood.definition);
  });

  it('tools of an MCP server are called by a node, and are tools of agents by their names', async () => {
    const client = node('Ask', `${AI}mcpClient`, {
      tool: { __rl: true, value: 'find', mode: 'list' },
      parameters: { mappingMode: 'defineBelow', value: { q: '={{ $json.q }}' } },
    });
    const agent = node('Agent', `${AI}agent`, { promptType: 'define', text: 'Hi' });
    const server = { include: 'selected', includeTools: ['find', 'read page'] };
    const { byId, said, definition } = imported([GO, agent, client], {
      ai_languageModel: [OPENAI],
      ai_tool: [node('Server', `${AI}mcpClientTool`, server)],
    });
    expect(byId['ask_call']).toMatchObject({
      type: 'mcp',
      config: { tool: 'find', arguments: { q: '{{ $json.q }}' } },
    });
    expect(byId['agent_call']?.config['tools']).toMatchObject([
      { name: 'find', type: 'mcp', config: { tool: 'find' } },
      { name: 'read_page', type: 'mcp', config: { tool: 'read page' } },
    ]);
    expect(said['Server']).toEqual(['partly', expect.stringMatching(/the tool find .*the tool read_page /)]);
    await isValid(definition);
  });

  it('a text is summarized', () => {
    const { byId } = imported([GO, node('Brief', `${AI}chainSummarization`, {}), LAST('={{ $json.response.text }}')], {
      ai_languageModel: [OPENAI],
    });
    expect(byId['brief_call']?.config).toMatchObject({ model: 'gpt-4o', prompt: '{{ JSON.stringify($json) }}' });
  });

  it('a question to a person is asked once, and gives what the person answers', async () => {
    const question = { operation: 'sendAndWait', sendTo: 'a@example.com', message: '=Pay {{ $json.total }}?' };
    const { byId, links, definition } = imported([
      GO,
      node('Ask', 'gmail', question),
      LAST('={{ $json.data.approved }}'),
    ]);
    expect(byId['ask_call']).toMatchObject({
      type: 'approval',
      config: { message: 'Pay {{ $json.total }}?', assignees: ['a@example.com'] },
    });
    expect(byId['ask_call']).not.toHaveProperty('each');
    expect(links.filter((one) => one === 'ask_call>ask')).toHaveLength(2);
    await isValid(definition);
    const values = [{ fieldLabel: 'How many', fieldType: 'number' }];
    const form = imported([
      GO,
      node('Ask', 'slack', { ...question, responseType: 'customForm', formFields: { values } }),
    ]);
    expect(form.byId['ask_call']?.config['form']).toMatchObject({ fields: [{ name: 'how_many', kind: 'number' }] });
    expect(form.byId['ask']?.config['expression']).toBe('[{ data: { "How many": input.data?.how_many } }]');
    await isValid(form.definition);
  });
});

it('the model at the first input is asked, whichever the file names first', () => {
  const at = (name: string, type: string, index: number) => ({ [type]: [[{ node: name, type, index }]] });
  const model = (name: string) => node(name, `${AI}lmChatOpenAi`, { model: name });
  const nodes = [node('Go', 'manualTrigger'), node('Agent', `${AI}agent`), model('second'), model('first')];
  const connections = {
    Go: at('Agent', 'main', 0),
    second: at('Agent', 'ai_languageModel', 1),
    first: at('Agent', 'ai_languageModel', 0),
  };
  const { definition, report } = importN8n({ name: 'Theirs', nodes, connections });
  expect(definition.nodes.find(({ type }) => type === 'agent')?.config['model']).toBe('first');
  expect(report.find((one) => one.node === 'second')?.message).toContain('A node has one model');
});
