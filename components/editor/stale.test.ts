import { describe, expect, it } from 'vitest';
import type { Definition } from '@/contract/workflow';
import { draw, node } from '../canvas/testing/graph';
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
    const rewired = draw(then.nodes, 'start>first', 'start>second', 'start>aside');
    expect([...staleNodes(rewired, then)]).toEqual(['second']);
    const without = { ...then, connections: then.connections.slice(0, 2) };
    expect([...staleNodes(without, then)]).toEqual(['aside']);
  });
});
