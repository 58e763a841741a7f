import { describe, expect, it } from 'vitest';
import type { Definition, Node } from '@/contract/workflow';
import { compare } from '../canvas/compare';
import { contested, merge } from './merge';

const node = (id: string, config: Record<string, unknown> = {}, x = 0): Node => ({
  id,
  type: 'step',
  position: { x, y: 0 },
  config,
});
const wire = (from: string, to: string) => ({
  sourceNode: from,
  sourcePort: 'output',
  targetNode: to,
  targetPort: 'input',
});
const graph = (nodes: Node[], ...wires: [string, string][]): Definition => ({
  nodes,
  connections: wires.map(([from, to]) => wire(from, to)),
});

const base = graph([node('a'), node('b'), node('c')], ['a', 'b'], ['b', 'c']);

describe('merge', () => {
  it('keeps what each of two people did', () => {
    const mine = graph(
      [node('a', { url: 'mine' }), node('b'), node('c'), node('m')],
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'm'],
    );
    const theirs = graph([node('a'), node('b', { url: 'theirs' }), node('t')], ['a', 'b'], ['b', 't']);
    expect(contested(base, mine, theirs)).toEqual([]);
    const both = merge(base, mine, theirs);
    expect(both.nodes.map(({ id }) => id).sort()).toEqual(['a', 'b', 'm', 't']);
    expect(both.nodes.find(({ id }) => id === 'a')?.config).toEqual({ url: 'mine' });
    expect(both.nodes.find(({ id }) => id === 'b')?.config).toEqual({ url: 'theirs' });
    expect(both.connections).toEqual([wire('a', 'b'), wire('b', 't')]);
  });

  it('asks about a node that both changed, and does as told', () => {
    const mine = graph([node('a', { n: 1 }), node('b'), node('c')]);
    const theirs = graph([node('a', { n: 2 }), node('b'), node('c')]);
    expect(contested(base, mine, theirs).map(({ id }) => id)).toEqual(['a']);
    const chosen = (side: 'mine' | 'theirs') => merge(base, mine, theirs, new Map([['a', side]])).nodes[0]?.config;
    expect(chosen('mine')).toEqual({ n: 1 });
    expect(chosen('theirs')).toEqual({ n: 2 });
  });

  it('does not let a mere move win over a change', () => {
    const mine = graph([node('a', {}, 50), node('b'), node('c')]);
    const theirs = graph([node('a', { n: 2 }), node('b'), node('c')]);
    expect(contested(base, mine, theirs)).toEqual([]);
    expect(merge(base, mine, theirs).nodes[0]?.config).toEqual({ n: 2 });
  });

  it('asks when one removed what the other changed', () => {
    const mine = graph([node('b'), node('c')]);
    const theirs = graph([node('a', { n: 2 }), node('b'), node('c')]);
    expect(contested(base, mine, theirs)).toEqual([{ id: 'a', mine: undefined, theirs: node('a', { n: 2 }) }]);
  });
});

describe('compare', () => {
  it('tells additions, removals, changes and moves apart', () => {
    const after = graph([node('a', { url: 'x' }), node('b', {}, 9), node('d')], ['a', 'b']);
    const { nodes, wiresAdded, wiresRemoved } = compare(base, after);
    expect(nodes.map(({ id, change, fields }) => [id, change, fields])).toEqual([
      ['a', 'changed', ['config.url']],
      ['b', 'moved', ['position']],
      ['d', 'added', []],
      ['c', 'removed', []],
    ]);
    expect([wiresAdded, wiresRemoved]).toEqual([0, 1]);
  });

  it('takes no notice of the order of fields', () => {
    expect(compare(graph([node('a', { x: 1, y: 2 })]), graph([node('a', { y: 2, x: 1 })])).nodes).toEqual([]);
  });
});
