import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { draw, node } from '@/components/graph/testing/graph';
import { findOutdatedNodes } from './outdated-nodes';

const then = draw(
  ['start', 'first', 'second', 'aside'].map((id) => node(id)),
  'start>first',
  'first>second',
  'start>aside',
);
const withNode = (id: string, part: object): WorkflowDefinition => ({
  ...then,
  nodes: then.nodes.map((each) => (each.id === id ? { ...each, ...part } : each)),
});

describe('stale results', () => {
  it('are those of changed nodes and of all nodes downstream', () => {
    expect([...findOutdatedNodes(withNode('first', { config: { expression: '1' } }), then)]).toEqual([
      'first',
      'second',
    ]);
    expect([...findOutdatedNodes(withNode('start', { disabled: true }), then)].sort()).toEqual([
      'aside',
      'first',
      'second',
      'start',
    ]);
  });

  it('do not depend on position, name or notes', () => {
    expect(
      findOutdatedNodes(withNode('first', { position: { x: 9, y: 9 }, name: 'New', notes: 'why' }), then).size,
    ).toBe(0);
    expect(findOutdatedNodes(then, then).size).toBe(0);
  });

  it('depend on connections', () => {
    const reconnected = draw(then.nodes, 'start>first', 'start>second', 'start>aside');
    expect([...findOutdatedNodes(reconnected, then)]).toEqual(['second']);
    const without = { ...then, connections: then.connections.slice(0, 2) };
    expect([...findOutdatedNodes(without, then)]).toEqual(['aside']);
  });
});
