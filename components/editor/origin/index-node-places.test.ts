import { expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { indexNodePlaces } from './index-node-places';

const node = (id: string, name: string, body?: WorkflowDefinition): WorkflowNode => ({
  id,
  name,
  type: body ? 'loop' : 'transform',
  position: { x: 0, y: 0 },
  config: body ? { body } : {},
});

const call = {
  ...node('call', 'Act: call'),
  unreviewed: [{ field: 'config.url', language: 'javascript' as const, source: '', reason: 'is empty' }],
};
const inner: WorkflowDefinition = { nodes: [call], connections: [] };
const definition: WorkflowDefinition = {
  nodes: [node('loop', 'Act', { nodes: [node('again', 'Again', inner)], connections: [] }), node('end', 'End')],
  connections: [],
};

it('nodes are found with the loops around them', () => {
  const { byId, byName, findMarked } = indexNodePlaces(definition);
  expect(byName.get('End')).toEqual({ path: [], nodeId: 'end' });
  expect(byName.get('Act: call')).toEqual({ path: ['loop', 'again'], nodeId: 'call' });
  expect(byId.get('again')).toEqual({ path: ['loop'], nodeId: 'again' });
  expect(byId.get('gone')).toBeUndefined();
  for (const name of ['Act', 'Act: call'])
    expect(findMarked(name, 'config.url')).toEqual({ path: ['loop', 'again'], nodeId: 'call' });
  expect(findMarked('Act', 'config.method')).toBeUndefined();
});
