import { describe, expect, it } from 'vitest';
import { compareDefinitions, compareNodeLabels } from '@/components/graph/compare';
import { draw, node, connection } from '@/components/graph/testing/graph';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { mergeDrafts, type ConflictSide } from './merge-definitions';

const named = (definition: WorkflowDefinition) => ({ name: 'One', definition });
const mergeAll = (
  before: WorkflowDefinition,
  mine: WorkflowDefinition,
  theirs: WorkflowDefinition,
  choices?: ReadonlyMap<string, ConflictSide>,
) => mergeDrafts(named(before), named(mine), named(theirs), choices);
const mergeDefinitions = (...args: Parameters<typeof mergeAll>) => mergeAll(...args).definition;
const conflictKeys = (...args: Parameters<typeof mergeAll>) => mergeAll(...args).conflicts.map(({ key }) => key);

const group = (id: string, nodeIds: string[]) => ({ id, name: 'Group', nodeIds });

const base = draw([node('a'), node('b'), node('c')], 'a>b', 'b>c');

describe('merge', () => {
  it('keeps the changes of both people', () => {
    const mine = draw([node('a', { url: 'mine' }), node('b'), node('c'), node('m')], 'a>b', 'b>c', 'c>m');
    const theirs = draw([node('a'), node('b', { url: 'theirs' }), node('t')], 'a>b', 'b>t');
    expect(conflictKeys(base, mine, theirs)).toEqual([]);
    const both = mergeDefinitions(base, mine, theirs);
    expect(both.nodes.map(({ id }) => id).sort()).toEqual(['a', 'b', 'm', 't']);
    expect(both.nodes.find(({ id }) => id === 'a')?.config).toEqual({ url: 'mine' });
    expect(both.nodes.find(({ id }) => id === 'b')?.config).toEqual({ url: 'theirs' });
    expect(both.connections).toEqual([connection('a', 'b'), connection('b', 't')]);
  });

  it('merges different fields of one node, and reports the same field with its choice', () => {
    const before = draw([node('a', { url: 'old', headers: { x: '1' }, method: 'GET' })]);
    const mine = draw([node('a', { url: 'mine', headers: { x: '2' }, method: 'GET' })]);
    const theirs = draw([node('a', { url: 'theirs', headers: { x: '1', y: '3' }, method: 'POST' })]);
    expect(conflictKeys(before, mine, theirs)).toEqual(['a config.url']);
    const chosen = (side: ConflictSide) =>
      mergeDefinitions(before, mine, theirs, new Map([['a config.url', side]])).nodes[0]?.config;
    expect(chosen('mine')).toEqual({ url: 'mine', headers: { x: '2', y: '3' }, method: 'POST' });
    expect(chosen('theirs')).toEqual({ url: 'theirs', headers: { x: '2', y: '3' }, method: 'POST' });
  });

  it('merges the bodies of loops by node, and names of workflows', () => {
    const loop = (...inner: ReturnType<typeof node>[]) => draw([node('loop', { body: draw(inner) })]);
    const before = loop(node('x', { n: 0 }), node('y', { n: 0 }));
    const mine = loop(node('x', { n: 1 }), node('y', { n: 1 }));
    const theirs = loop(node('x', { n: 0 }), node('y', { n: 2 }), node('z'));
    const merged = mergeDrafts(named(before), named(mine), { name: 'Two', definition: theirs });
    expect(merged.name).toBe('Two');
    expect(merged.conflicts).toMatchObject([
      { kind: 'field', nodePath: ['loop', 'y'], field: 'config.n', mine: 1, theirs: 2 },
    ]);
    const body = merged.definition.nodes[0]?.config['body'] as WorkflowDefinition;
    expect(body.nodes.map(({ id, config }) => [id, config['n']]).sort()).toEqual([
      ['x', 1],
      ['y', 1],
      ['z', undefined],
    ]);
  });

  it('prefers a change over a move', () => {
    const mine = draw([node('a', {}, { x: 50 }), node('b'), node('c')]);
    const theirs = draw([node('a', { n: 2 }), node('b'), node('c')]);
    expect(conflictKeys(base, mine, theirs)).toEqual([]);
    expect(mergeDefinitions(base, mine, theirs).nodes[0]?.config).toEqual({ n: 2 });
  });

  it('reports a node that one removed and the other changed', () => {
    const mine = draw([node('b'), node('c')]);
    const theirs = draw([node('a', { n: 2 }), node('b'), node('c')]);
    const { conflicts } = mergeAll(base, mine, theirs);
    expect(conflicts).toMatchObject([{ kind: 'node', key: 'a', mine: undefined, theirs: { id: 'a' } }]);
    expect(mergeDefinitions(base, mine, theirs).nodes.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(mergeDefinitions(base, mine, theirs, new Map([['a', 'theirs']])).nodes).toHaveLength(3);
  });
});

describe('compare', () => {
  it('distinguishes additions, removals, changes and moves', () => {
    const after = draw([node('a', { url: 'x' }), node('b', {}, { x: 9 }), node('d')], 'a>b');
    const { nodes, connectionsAdded, connectionsRemoved } = compareDefinitions(base, after);
    expect(nodes.map(({ id, change, fields }) => [id, change, fields])).toEqual([
      ['a', 'changed', ['config.url']],
      ['b', 'moved', ['position']],
      ['d', 'added', []],
      ['c', 'removed', []],
    ]);
    expect([connectionsAdded, connectionsRemoved]).toEqual([0, 1]);
  });

  it('says what picked values are called', () => {
    const before = { labels: { tableId: 'Orders', 'parameters.channel': 'general', kept: 'same' } };
    const after = { labels: { 'parameters.channel': 'random', kept: 'same', view: 'All' } };
    expect(compareNodeLabels(before, after)).toEqual([
      { path: 'tableId', before: 'Orders', after: undefined },
      { path: 'parameters.channel', before: 'general', after: 'random' },
      { path: 'view', before: undefined, after: 'All' },
    ]);
    expect(compareNodeLabels({}, {})).toEqual([]);
  });

  it('ignores the order of fields', () => {
    expect(compareDefinitions(draw([node('a', { x: 1, y: 2 })]), draw([node('a', { y: 2, x: 1 })])).nodes).toEqual([]);
  });
});

describe('notes and groups in a merge', () => {
  const note = (id: string, text: string) => ({
    id,
    position: { x: 0, y: 0 },
    size: { width: 200, height: 100 },
    text,
    color: 'yellow' as const,
  });
  const before = { ...base, notes: [note('n', 'old'), note('kept', 'same')], groups: [group('g', ['a', 'b'])] };

  it('keeps the texts of both people, also of a note that both edited', () => {
    const mine = { ...before, notes: [note('n', 'mine'), note('kept', 'same'), note('m', 'new')] };
    const theirs = { ...before, notes: [note('n', 'theirs')] };
    expect(mergeDefinitions(before, mine, theirs).notes?.map(({ text }) => text)).toEqual(['mine', 'theirs', 'new']);
    const ids = mergeDefinitions(before, mine, theirs).notes?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(3);
  });

  it('limits a group to nodes that exist and are in no other group', () => {
    const mine = { ...before, groups: [group('g', ['a', 'b']), group('h', ['c'])] };
    const theirs = { ...draw([node('b'), node('c')]), groups: [group('g', ['b', 'c'])] };
    expect(mergeDefinitions(before, mine, theirs).groups).toEqual([group('g', ['b', 'c'])]);
    expect(mergeDefinitions(before, before, { ...before, groups: [] })).not.toHaveProperty('groups');
  });

  it('is reported as a change', () => {
    const after = { ...before, notes: [note('n', 'new'), note('m', '# More')], groups: undefined };
    expect(compareDefinitions(before, after).annotations).toEqual([
      { id: 'n', kind: 'note', title: 'new', change: 'changed' },
      { id: 'm', kind: 'note', title: 'More', change: 'added' },
      { id: 'kept', kind: 'note', title: 'same', change: 'removed' },
      { id: 'g', kind: 'group', title: 'Group', change: 'removed' },
    ]);
  });
});
