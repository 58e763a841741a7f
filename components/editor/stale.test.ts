import { describe, expect, it } from 'vitest';
import type { Definition } from '@/contract/workflow';
import { staleNodes } from './stale';

const position = { x: 0, y: 0 };
const wire = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});
const then: Definition = {
  nodes: ['start', 'first', 'second', 'aside'].map((id) => ({ id, type: 'transform', position, config: {} })),
  connections: [wire('start', 'first'), wire('first', 'second'), wire('start', 'aside')],
};
const withNode = (id: string, part: object): Definition => ({
  ...then,
  nodes: then.nodes.map((node) => (node.id === id ? { ...node, ...part } : node)),
});

describe('stale results', () => {
  it('are those of what changed and of all behind it', () => {
    expect([...staleNodes(withNode('first', { config: { expression: '1' } }), then)]).toEqual(['first', 'second']);
    expect([...staleNodes(withNode('start', { disabled: true }), then)].sort()).toEqual([
      'aside',
      'first',
      'second',
      'start',
    ]);
  });

  it('don’t come from looks: a place, a name, a note', () => {
    expect(staleNodes(withNode('first', { position: { x: 9, y: 9 }, name: 'New', notes: 'why' }), then).size).toBe(0);
    expect(staleNodes(then, then).size).toBe(0);
  });

  it('come from other connections, too', () => {
    const rewired = { ...then, connections: [wire('start', 'first'), wire('start', 'second'), wire('start', 'aside')] };
    expect([...staleNodes(rewired, then)]).toEqual(['second']);
    const without = { ...then, connections: then.connections.slice(0, 2) };
    expect([...staleNodes(without, then)]).toEqual(['aside']);
  });
});
