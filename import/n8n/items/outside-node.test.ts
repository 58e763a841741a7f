import { expect, test } from 'vitest';
import { importN8n } from '../convert';

test('a node that runs once makes its call for the first item alone, so that others cannot fail', () => {
  const node = (name: string, type: string, more: object = {}) => ({
    name,
    type: `n8n-nodes-base.${type}`,
    typeVersion: 1,
    position: [0, 0],
    parameters: {},
    ...more,
  });
  const { definition } = importN8n({
    nodes: [node('Start', 'manualTrigger'), node('Read', 'extractFromFile', { executeOnce: true })],
    connections: { Start: { main: [[{ node: 'Read', type: 'main', index: 0 }]] } },
  });
  const [items] = definition.nodes.filter(({ name }) => name === 'Read: items');
  expect(items?.each).toEqual({ items: '[input].flat().slice(0, 1)' });
  const reading = definition.connections.filter(({ sourceNode }) => sourceNode === items?.id);
  const call = definition.nodes.find(({ id }) => id === reading[0]?.targetNode);
  expect(call).toMatchObject({ type: 'convert', name: 'Read: call' });
});
