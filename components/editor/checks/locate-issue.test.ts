import { expect, test } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { firstIssueSentence } from './locate-issue';

const node = (id: string, type: string, config = {}): WorkflowDefinition['nodes'][number] => ({
  id,
  type,
  name: `Step ${id}`,
  position: { x: 0, y: 0 },
  config,
});
const kind = (type: string, title: string) =>
  ({ type, title, configSchema: { properties: { url: { title } } } }) as unknown as NodeTypeDescription;
const catalogue = indexNodeTypes([kind('http_request', 'URL'), kind('for_each', 'Loop')]);
const inner: WorkflowDefinition = { nodes: [node('x', 'http_request')], connections: [] };
const whole: WorkflowDefinition = {
  nodes: [node('a', 'http_request'), node('b', 'for_each', { body: inner })],
  connections: [],
};

test('an issue is told with the names of node and field, also inside a loop', () => {
  const told = (field: string, message: string) => firstIssueSentence(whole, [{ field, message }], catalogue);
  expect(told('nodes[0].config.url', 'must begin with http:// or https://')).toBe(
    'Step a: URL must begin with http:// or https://',
  );
  expect(told('nodes[1].config.body.nodes[0].config.url', 'is required')).toBe('Step x: URL is required');
  expect(told('nodes[0].timeoutMs', 'is too long')).toBe('Step a: Timeout is too long');
  expect(told('nodes[0].type', 'is unknown')).toBe('Step a: type is unknown');
  expect(told('nodes[0].config', 'was imported')).toBe('Step a: The node was imported');
});

test('what belongs to no node is left to the caller', () => {
  const issues = [
    { field: 'name', message: 'is required' },
    { field: 'nodes[9].config.url', message: 'is required' },
  ];
  expect(firstIssueSentence(whole, issues, catalogue)).toBeUndefined();
  expect(firstIssueSentence(whole, [...issues, { field: 'nodes[0].config.url', message: 'is gone' }], catalogue)).toBe(
    'Step a: URL is gone',
  );
});
