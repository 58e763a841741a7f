import { expect, test } from 'vitest';
import { nodeReferenceSummary } from './reference-summary';

test('a connector node is summed up in words, once its connector is known', () => {
  const slack = {
    resource: 'connector' as const,
    id: 'slack',
    name: 'Slack',
    operationTitles: { 'messages.post': 'Post a message' },
  };
  const node = {
    id: 'post',
    type: 'connector',
    position: { x: 0, y: 0 },
    config: { connectorId: 'slack', operation: 'messages.post', parameters: { channel: 'C024BE91L' } },
    labels: { 'parameters.channel': '#general' },
  };
  expect(nodeReferenceSummary(slack, 'Tell them', node, undefined)).toBe('Slack · Post a message · #general');
  expect(
    nodeReferenceSummary(slack, 'Tell them', { ...node, labels: {}, config: { connectorId: 'slack' } }, undefined),
  ).toBe('Slack');
  expect(nodeReferenceSummary({ ...slack, name: null }, 'Tell them', node, undefined)).toContain('Not found');
});
