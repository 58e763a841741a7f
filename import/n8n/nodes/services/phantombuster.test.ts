import { expect, it } from 'vitest';
import { definitionIssues } from '@/server/workflow/definition/definition';
import { importServiceNode } from './testing/import-service-node';

const importCall = (parameters: object) => importServiceNode('n8n-nodes-base.phantombuster', parameters);

const CALLS: [object, string, object][] = [
  [
    {
      agentId: '7',
      additionalFields: { argumentsUi: { argumentValues: [{ key: 'url', value: '={{ $json.url }}' }] } },
    },
    'agents.launch',
    { agent: '7', argument: { url: '{{ $json.url }}' }, getsState: true },
  ],
  [
    {
      agentId: '7',
      jsonParameters: true,
      resolveData: false,
      additionalFields: { argumentsJson: '{"n": 1}', manualLaunch: true, maxInstanceCount: 0 },
    },
    'agents.launch',
    { agent: '7', argument: { n: 1 }, manualLaunch: true },
  ],
  [
    { operation: 'getOutput', agentId: '={{ $json.id }}', additionalFields: { prevStatus: 'running' } },
    'agents.get_output',
    { agent: '{{ ($json.id)?.toString() }}', previousStatus: 'running', getsResult: true },
  ],
  [{ operation: 'get', agentId: '7' }, 'agents.get', { agent: '7' }],
];

it.each(CALLS)('%j becomes %s with %j', async (parameters, operation, expected) => {
  const { definition, call, message } = importCall(parameters);
  expect(call).toEqual({ connectorId: 'phantombuster', operation, parameters: expected });
  expect(message).toBe('Choose an account of PhantomBuster.');
  expect(await definitionIssues(definition, { workspaceId: 'ws_test' })).toEqual([]);
});

it.each([
  [{ operation: 'delete', agentId: '7' }, 'shape: () => ({ success: true })'],
  [{ operation: 'getAll' }, 'shape: (list) => list.slice(0, 25)'],
  [{ operation: 'getAll', limit: 3 }, 'shape: (list) => list.slice(0, 3)'],
])('what n8n makes of the answer: %j', (parameters, shape) => {
  expect(importCall(parameters).expression).toContain(shape);
});

it('what is left to choose, and what has no counterpart', () => {
  expect(importCall({ additionalFields: {} }).message).toContain('Choose its Phantom');
  expect(importCall({ operation: 'launchSync' }).message).toContain('has no “agent.launchSync”');
});
