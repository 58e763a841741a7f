import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { sortByCalls } from './called-workflows';
import { planN8nImport } from './plan';

const node = (name: string, type: string, parameters: object = {}) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
});
const orders = { name: 'Orders', nodes: [node('Start', 'manualTrigger')], connections: {} };

const FAILING = { ...orders, id: 'failing', settings: { errorWorkflow: 'handler' } };

test('an error workflow is imported before those that name it, and is theirs', () => {
  const handler = { ...orders, id: 'handler' };
  expect(sortByCalls([FAILING, handler], (one) => one).map(({ id }) => id)).toEqual(['handler', 'failing']);
  const linked = planN8nImport(FAILING, {
    workflows: new Map([['handler', { workflowId: 'wf_1', startNodeId: null }]]),
  });
  expect(linked.settings).toMatchObject({ errorWorkflowId: 'wf_1' });
  expect(JSON.stringify(linked.record.report)).not.toContain('error workflow');
  const open = planN8nImport(FAILING);
  expect(open.settings).not.toHaveProperty('errorWorkflowId');
  expect(open.record.report).toContainEqual(
    expect.objectContaining({ kind: 'choose', node: 'Settings', message: expect.stringContaining('error workflow') }),
  );
});

test('a node that is called Settings is not marked for an open error workflow', () => {
  const settings = { ...node('Settings', 'set', {}), typeVersion: 3.4 };
  const connections = { Start: { main: [[{ node: 'Settings', type: 'main', index: 0 }]] } };
  const { definition } = planN8nImport({ ...FAILING, nodes: [...FAILING.nodes, settings], connections });
  expect(definition.nodes.filter(({ unreviewed }) => unreviewed !== undefined)).toEqual([]);
});

test('the start of an error workflow gives what n8n gives of a failed run', () => {
  const build = (text: string) =>
    planN8nImport({
      ...orders,
      nodes: [
        node('Go', 'manualTrigger'),
        node('Failed', 'errorTrigger'),
        node('Tell', 'emailSend', { toEmail: 'a@example.com', subject: text, text }),
      ],
      connections: { Failed: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] } },
    });
  const plan = build('={{ $json.workflow.name }}: {{ $json.execution.error.message }}');
  expect(plan.settings).toEqual({ startNodeId: 'failed' });
  expect(JSON.stringify(plan.record.report)).not.toContain('Check what it reads of the failed run');
  const shape = String(plan.definition.nodes.find(({ name }) => name === 'Failed')?.config['expression']);
  const give = (input: unknown): unknown => runInNewContext(shape, { input });
  const run = {
    id: 'exec_1',
    url: 'https://weft.example.com/executions/exec_1',
    workflowId: 'wf_1',
    workflowName: 'Orders',
    trigger: 'schedule',
  };
  const given = give({ execution: { ...run, error: { code: 'HTTP_STATUS', message: 'No', nodeId: 'fetch' } } });
  expect(JSON.parse(JSON.stringify(given))).toEqual([
    {
      execution: {
        id: 'exec_1',
        url: run.url,
        error: { message: 'No', name: 'HTTP_STATUS', stack: 'No' },
        lastNodeExecuted: 'fetch',
        mode: 'trigger',
      },
      workflow: { id: 'wf_1', name: 'Orders' },
    },
  ]);
  expect(JSON.stringify(build('={{ $json.execution.lastNodeExecuted }}').record.report)).toContain(
    'the last node is an id',
  );
});
