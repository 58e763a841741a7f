import { describe, expect, it } from 'vitest';
import type { Definition } from '@/contract/workflows/workflow';
import { draw, node } from '@/components/graph/testing/graph';
import { staleNodes } from './stale';

const then = draw(
  ['start', 'first', 'second', 'aside'].map((id) => node(id)),
  'start>first',
  'first>second',
  'start>aside',
);
const withNode = (id: string, part: object): Definition => ({
  ...then,
  nodes: then.nodes.map((each) => (each.id === id ? { ...each, ...part } : each)),
});

describe('stale results', () => {
  it('are those of changed nodes and of all nodes downstream', () => {
    expect([...staleNodes(withNode('first', { config: { expression: '1' } }), then)]).toEqual(['first', 'second']);
    expect([...staleNodes(withNode('start', { disabled: true }), then)].sort()).toEqual([
      'aside',
      'first',
      'second',
      'start',
    ]);
  });

  it('do not depend on position, name or notes', () => {
    expect(staleNodes(withNode('first', { position: { x: 9, y: 9 }, name: 'New', notes: 'why' }), then).size).toBe(0);
    expect(staleNodes(then, then).size).toBe(0);
  });

  it('depend on connections', () => {
    const reconnected = draw(then.nodes, 'start>first', 'start>second', 'start>aside');
    expect([...staleNodes(reconnected, then)]).toEqual(['second']);
    const without = { ...then, connections: then.connections.slice(0, 2) };
    expect([...staleNodes(without, then)]).toEqual(['aside']);
  });
});
