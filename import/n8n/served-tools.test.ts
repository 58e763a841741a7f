import { expect, test } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { useDatabase } from '@/server/testing/database';
import { planN8nImport } from './plan';
import { listPlans, worstLight } from './plan-parts';

useDatabase();

const node = (name: string, type: string, parameters: object = {}, more: object = {}) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  ...more,
});
const LANGCHAIN = '@n8n/n8n-nodes-langchain.';
const SERVER = node('Server', `${LANGCHAIN}mcpTrigger`, { path: 'a' });
const to = (name: string) => [[{ node: name, type: 'main', index: 0 }]];
const asTool = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { ai_tool: [[{ node: 'Server', type: 'ai_tool', index: 0 }]] }]));
const FETCH = node(
  'Find city',
  'httpRequestTool',
  {
    url: 'https://example.com/cities',
    toolDescription: 'Finds a city',
    sendQuery: true,
    queryParameters: { parameters: [{ name: 'q', value: "={{ $fromAI('city', 'Its name', 'string') }}" }] },
  },
  { typeVersion: 4.2 },
);

test('each tool of a server becomes a workflow that is a tool', async () => {
  const file = {
    id: 'n8n1',
    name: 'Cities',
    tags: [{ name: 'maps' }],
    nodes: [
      SERVER,
      FETCH,
      node('Note', 'stickyNote', { content: 'Read me' }),
      node('Now', 'dateTimeTool', {}, { typeVersion: 2 }),
    ],
    connections: asTool('Find city', 'Now'),
  };
  const plan = planN8nImport(file);
  expect(listPlans(plan).map(({ name }) => name)).toEqual(['Find city', 'Now']);
  expect(worstLight(plan)).toBe('green');
  expect(plan).toMatchObject({ description: 'Finds a city', settings: { isTool: true }, tags: ['maps'], triggers: [] });
  expect(plan.definition.notes).toHaveLength(1);
  expect(plan.record.sourceId).toBe('n8n1');
  expect(plan.further).toMatchObject([{ tags: ['maps'], record: { sourceId: null } }]);
  const start = plan.definition.nodes.find(({ type }) => type === 'start');
  expect(start?.config['inputSchema']).toEqual({
    type: 'object',
    properties: { city: { type: 'string', description: 'Its name' } },
    required: ['city'],
  });
  expect(plan.definition.nodes.find(({ type }) => type === 'http_request')?.config['query']).toEqual({
    q: "{{ $fromAI('city', 'Its name', 'string') }}",
  });
  for (const { definition } of listPlans(plan))
    expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

test('what other triggers start stays one workflow, which tools may call', () => {
  const file = {
    name: 'Orders',
    nodes: [
      SERVER,
      node('Called', 'executeWorkflowTrigger'),
      node('Hourly', 'scheduleTrigger'),
      node('Work', 'noOp'),
      node('Search', `${LANGCHAIN}toolWorkflow`, {
        name: 'search_orders',
        description: 'Finds orders',
        workflowId: { __rl: true, value: '={{ $workflow.id }}' },
        workflowInputs: { value: { query: "={{ $fromAI('query', 'What is sought', 'string') }}" } },
      }),
      node('Off', 'gmailTool', {}, { disabled: true }),
    ],
    connections: { Called: { main: to('Work') }, Hourly: { main: to('Work') }, ...asTool('Search', 'Off') },
  };
  const plan = planN8nImport(file);
  expect(plan.name).toBe('Orders');
  expect(plan.settings).toEqual({});
  expect(plan.definition.nodes.map(({ name }) => name).toSorted()).toEqual(['Called', 'Hourly', 'Work']);
  const [tool, ...others] = plan.further;
  expect(others).toEqual([]);
  expect(tool).toMatchObject({ name: 'search_orders', description: 'Finds orders', light: 'green' });
  const call = tool?.linkToItself?.('wf_1').nodes.find(({ type }) => type === 'sub_workflow');
  expect(call?.config).toEqual({
    workflowId: 'wf_1',
    startNodeId: 'called',
    input: { query: "{{ $fromAI('query', 'What is sought', 'string') }}" },
  });
});

test('an agent that is a tool keeps its parts; too many tools, and servers without any, stay as they are', () => {
  const agent = node('Helper', `${LANGCHAIN}agentTool`, { text: "={{ $fromAI('question') }}" }, { typeVersion: 2.2 });
  const model = node('Model', `${LANGCHAIN}lmChatOpenAi`, { model: 'gpt-5-mini' });
  const plan = planN8nImport({
    name: 'Agents',
    nodes: [SERVER, agent, model],
    connections: {
      ...asTool('Helper'),
      Model: { ai_languageModel: [[{ node: 'Helper', type: 'ai_languageModel', index: 0 }]] },
    },
  });
  expect(plan.definition.nodes.find(({ type }) => type === 'agent')?.config).toMatchObject({
    input: "{{ $fromAI('question') }}",
    model: 'gpt-5-mini',
  });
  expect(planN8nImport({ name: 'None', nodes: [SERVER], connections: {} }).further).toEqual([]);
  const many = Array.from({ length: 101 }, (_, index) => ({ ...FETCH, name: `Tool ${index}` }));
  const crowded = planN8nImport({
    name: 'Many',
    nodes: [SERVER, ...many],
    connections: asTool(...many.map(({ name }) => name)),
  });
  expect(crowded.further).toEqual([]);
  expect(crowded.light).toBe('red');
});
