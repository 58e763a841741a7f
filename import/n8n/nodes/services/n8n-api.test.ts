import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importServiceNode } from './testing/import-service-node';

const chosen = (value: string, mode = 'id') => ({ __rl: true, mode, value });

const importCall = (parameters: object) => importServiceNode('n8n-nodes-base.n8n', parameters);

/** The parameters in n8n, the call, and where its output has what n8n gives. */
const CALLS: [object, string, object, string][] = [
  [{}, 'workflows.list', { allPages: true }, 'body'],
  [{ filters: { tags: '', name: '' } }, 'workflows.list', { allPages: true }, 'body'],
  [{ returnAll: false, limit: 5 }, 'workflows.list', { limit: 5 }, 'body.data'],
  [
    { filters: { activeWorkflows: true, tags: '={{ $json.tag }}', excludePinnedData: true } },
    'workflows.list',
    { active: true, tags: '{{ ($json.tag) || null }}', withoutPins: true, allPages: true },
    'body',
  ],
  [{ operation: 'get', workflowId: chosen('a1') }, 'workflows.get', { workflow: 'a1' }, 'body'],
  [
    { operation: 'delete', workflowId: chosen('={{ $json.id }}') },
    'workflows.delete',
    { workflow: '{{ ($json.id)?.toString() }}' },
    'body',
  ],
  [
    { operation: 'get', workflowId: chosen('https://n8n.example.com/workflow/a1?x', 'url') },
    'workflows.get',
    { workflow: 'a1' },
    'body',
  ],
  [
    { operation: 'create', workflowObject: '={{ JSON.stringify($json) }}' },
    'workflows.create',
    { content: '{{ n8n.json((JSON.stringify($json))) }}' },
    'body',
  ],
  [
    { operation: 'create', workflowObject: '={"name": "A", "nodes": {{ $json.nodes }}}' },
    'workflows.create',
    { content: '{{ n8n.json(n8n.text("{\\"name\\": \\"A\\", \\"nodes\\": ", () => ($json.nodes), "}")) }}' },
    'body',
  ],
  [
    { operation: 'update', workflowId: 'a1', workflowObject: '{"name": "A"}' },
    'workflows.update',
    { workflow: 'a1', content: { name: 'A' } },
    'body',
  ],
  [
    { operation: 'activate', workflowId: 'a1', additionalFields: { name: 'First' } },
    'workflows.activate',
    { workflow: 'a1', name: 'First' },
    'body',
  ],
  [{ resource: 'execution' }, 'executions.list', { limit: 100 }, 'body.data'],
  [
    { resource: 'execution', returnAll: true, filters: { status: 'error', workflowId: chosen('', 'list') } },
    'executions.list',
    { status: 'error', allPages: true },
    'body',
  ],
  [
    { resource: 'execution', operation: 'get', executionId: '12', options: { activeWorkflows: true } },
    'executions.get',
    { execution: '12', includeData: true },
    'body',
  ],
  [
    { resource: 'credential', name: 'A', credentialTypeName: 'githubApi', data: '{"user": "{{ $json.user }}"}' },
    'credentials.create',
    { name: 'A', type: 'githubApi', data: { user: '{{ "{{" }} $json.user }}' } },
    'body',
  ],
  [
    { resource: 'credential', operation: 'getSchema', credentialTypeName: 'githubApi' },
    'credentials.get_schema',
    { kind: 'githubApi' },
    'body',
  ],
  [
    { resource: 'audit', additionalOptions: { categories: ['nodes'] } },
    'audits.create',
    { options: { categories: ['nodes'] } },
    'body',
  ],
];

it.each(CALLS)('%j becomes %s with %j', async (parameters, operation, expected, path) => {
  const { definition, call, expression, message } = importCall(parameters);
  expect(call).toEqual({ connectorId: 'n8n', operation, parameters: expected });
  expect(expression).toContain(`path: "${path}"`);
  expect(message).toBe('Choose an account of n8n.');
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

it.each([
  [{ requestOptions: { timeout: 5, batching: {} } }, 'left out: timeout.'],
  [{ returnAll: false, limit: 300 }, 'n8n refuses 300'],
  [{ returnAll: '={{ true }}' }, 'Choose whether it gives all'],
  [{ operation: 'create', workflowObject: '{' }, 'Check its JSON'],
  [{ operation: 'get', workflowId: chosen('x', 'url') }, 'Enter the id of its workflow'],
  [{ operation: 'get', workflowId: chosen('', 'list') }, 'Choose its workflow'],
])('what is not the same is to do: %j', (parameters, task) => {
  expect(importCall(parameters).message).toContain(task);
});

it('reads a long address of a workflow in linear time', () => {
  const startedAt = performance.now();
  const { message } = importCall({ operation: 'get', workflowId: chosen('x'.repeat(400_000), 'url') });
  expect(message).toContain('Enter the id of its workflow');
  // In square time this takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(5000);
});
