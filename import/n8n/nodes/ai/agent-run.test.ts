import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { buildCredential, buildUser, buildWorkflow } from '@/server/testing/factories';
import { useDatabase } from '@/server/testing/database';
import { listenOn } from '@/server/testing/listen';
import { startRun } from '@/server/testing/runs';
import { startModels, type Models } from '@/server/testing/servers/models';
import { useWorker } from '@/server/testing/worker';
import { importN8n } from '../../convert';

useDatabase();
useWorker();

let models: Models;
let api: Awaited<ReturnType<typeof listenOn>>;
const reached: string[] = [];

beforeAll(async () => {
  models = await startModels();
  api = await listenOn((request, response) => {
    reached.push(request.url ?? '');
    response.setHeader('content-type', 'application/json').end('{"ok":true}');
  });
});
afterAll(async () => {
  await models.close();
  await api.close();
});

const AI = '@n8n/n8n-nodes-langchain.';
const node = (name: string, type: string, parameters: object, typeVersion = 2) => ({
  name,
  type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
  parameters,
  typeVersion,
  position: [0, 0],
});
const link = (name: string, kind = 'main') => [{ node: name, type: kind, index: 0 }];
const MODEL = node('Model', `${AI}lmChatOpenAi`, { model: 'model-a' });
const DATA = node('Data', 'code', { jsCode: 'return [{ id: 1, task: "a" }, { id: 2, task: "b" }];' });

/** The outputs of an imported workflow by the names of its nodes, after a run with a model. */
async function runImported(nodes: object[], connections: object) {
  const user = await buildUser();
  const provider = { provider: 'openai_compatible', apiKey: 'key-of-a-model', baseUrl: `${models.url}/v1` };
  const credentialId = await buildCredential(user, 'llm', provider);
  const imported = importN8n({ name: 'Theirs', nodes, connections }).definition;
  const definition: WorkflowDefinition = {
    ...imported,
    nodes: imported.nodes.map((one) => (['agent', 'llm'].includes(one.type) ? { ...one, credentialId } : one)),
  };
  const { workspaceId } = user;
  const workflowId = await buildWorkflow({ workspaceId, definition });
  const execution = await (await startRun({ workspaceId, workflowId }, {})).finish();
  expect(execution.error).toBeNull();
  return (name: string) => {
    const id = definition.nodes.find((one) => one.name === name)?.id;
    return execution.nodeResults.find(({ nodeId }) => nodeId === id)?.output;
  };
}

it('tools of an imported agent read its item, and what the model chose', async () => {
  const tools = [
    node('Get', 'httpRequestTool', { url: `=${api.url}/{{ $json.id }}/{{ $fromAI('b', 'A letter') }}` }, 4.2),
    node('Sum', `${AI}toolCode`, { name: 'sum', jsCode: 'return `${query}-${$json.id}`;' }, 1),
    node('Calculator', `${AI}toolCalculator`, {}, 1),
    node('Think', `${AI}toolThink`, {}, 1),
  ];
  const agent = node('Agent', `${AI}agent`, { promptType: 'define', text: '={{ $json.task }}' });
  const calls = [
    { name: 'get', arguments: { b: 'x' } },
    { name: 'sum', arguments: { query: 'q' } },
    { name: 'calculator', arguments: { query: '2 * (3+4)^2 - -1.5' } },
    { name: 'calculator', arguments: { query: '2 apples' } },
    { name: 'think', arguments: { query: 'First the sum.' } },
  ];
  models.sayInTurn({ calls }, { text: 'one' }, { text: 'two' });
  const output = await runImported([node('Go', 'manualTrigger', {}, 1), DATA, agent, MODEL, ...tools], {
    Go: { main: [link('Data')] },
    Data: { main: [link('Agent')] },
    Model: { ai_languageModel: [link('Agent', 'ai_languageModel')] },
    Get: { ai_tool: [link('Agent', 'ai_tool')] },
    Sum: { ai_tool: [link('Agent', 'ai_tool')] },
    Calculator: { ai_tool: [link('Agent', 'ai_tool')] },
    Think: { ai_tool: [link('Agent', 'ai_tool')] },
  });
  expect(output('Agent')).toEqual([{ output: 'one' }, { output: 'two' }]);
  expect(reached).toEqual(['/1/x']);
  const messages = models.requests.at(-2)?.body['messages'] as { role: string; content: string }[];
  const answers = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
  for (const answer of ['q-1', '99.5', 'how to do that', 'First the sum.'])
    expect(answers).toContainEqual(expect.stringContaining(answer));
});

it('items leave an imported classifier by the output of their category, as they came in', async () => {
  const categories = { categories: [{ category: 'Bug' }, { category: 'Idea' }] };
  const sort = node('Sort', `${AI}textClassifier`, { inputText: '={{ $json.task }}', categories });
  models.sayInTurn({ text: '{"category":"Idea"}' }, { text: '{"category":"Bug"}' });
  const output = await runImported(
    [node('Go', 'manualTrigger', {}, 1), DATA, sort, MODEL, node('Bugs', 'noOp', {}, 1), node('Ideas', 'noOp', {}, 1)],
    {
      Go: { main: [link('Data')] },
      Data: { main: [link('Sort')] },
      Model: { ai_languageModel: [link('Sort', 'ai_languageModel')] },
      Sort: { main: [link('Bugs'), link('Ideas')] },
    },
  );
  expect([output('Bugs'), output('Ideas')]).toEqual([[{ id: 2, task: 'b' }], [{ id: 1, task: 'a' }]]);
});
