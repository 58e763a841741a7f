import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { followFirstItem } from './paired-sample';

const people = [
  { name: 'Ada', age: 36, team: 1 },
  { name: 'Grace', age: 85, team: 2 },
  { name: 'Alan', age: 41, team: 1 },
];
const teams = [{ id: 1 }, { id: 2 }];

type Sketch = [type: string, config: object, output: unknown, more?: Partial<WorkflowNode>];

/** Follows the first item of the last of these nodes, which are connected one behind the other. */
function follow(sketches: Record<string, Sketch>, results: Partial<NodeResult>[] = [], pins = {}) {
  const nodes = Object.entries(sketches).map(([id, [type, config, , more]]) => ({
    id,
    type,
    position: { x: 0, y: 0 },
    config: { ...config },
    ...more,
  }));
  const connections = nodes.slice(1).map(({ id }, index) => ({
    sourceNode: nodes[index]?.id ?? '',
    sourcePort: 'output',
    targetNode: id,
    targetPort: 'input',
  }));
  return followFirstItem(nodes.at(-1) as WorkflowNode, {
    definition: { nodes, connections },
    outputs: { teams, ...Object.fromEntries(Object.entries(sketches).map(([id, [, , output]]) => [id, output])) },
    results: new Map(results.map((one) => [one.nodeId ?? '', one as NodeResult])),
    pins,
    titles: { sum: 'Totals' },
  });
}
const start: Sketch = ['start', {}, people];
const last: Sketch = ['send_email', {}, undefined, { each: {} }];
const names: Sketch = ['transform', {}, people.map(({ name }) => name), { each: {} }];

it.each<[string, Sketch, unknown]>([
  ['filter', ['filter', { items: 'input' }, people.slice(1)], 'Grace'],
  ['sort', ['sort', { items: '{{ nodes.s }}' }, people.toReversed()], 'Alan'],
  ['dedupe', ['dedupe', { items: 'input' }, [people[0], people[1]]], 'Ada'],
  ['split', ['split', { items: 'input', size: 2 }, [people.slice(0, 2), people.slice(2)]], 'Ada'],
  ['merge', ['merge', { left: 'input', right: 'nodes.teams', leftKey: 'team' }, [{ ...people[1], id: 2 }]], 'Grace'],
  ['merge by position', ['merge', { left: 'input', mode: 'by_position' }, [{ ...people[0], x: 1 }]], 'Ada'],
  ['each', names, 'Ada'],
])('leads through %s', (_, list, name) => {
  const { paired } = follow({ s: start, list, made: ['transform', {}, [7], { each: {} }], last });
  expect(paired).toMatchObject({ made: 7, s: { name } });
  expect(Object.keys(paired)).toEqual(['made', 'list', 's']);
});

it.each<[string, Sketch, RegExp]>([
  ['a new list', ['aggregate', { items: 'input' }, [{ n: 3 }]], /^“Totals” makes a list of its own\.$/],
  ['an expression', ['sort', { items: 'input[age > 1]' }, people], /^“Totals” takes its items from an expression/],
  ['one value', ['transform', {}, { n: 3 }], /^“Totals” gives one value/],
  ['joined lists', ['transform', {}, [1, 2], { each: { flatten: true } }], /^“Totals” joins lists/],
  ['left out items', ['transform', {}, [1], { each: { onError: 'drop' } }], /^“Totals” left out items/],
  ['a node that is off', ['sort', { items: 'input' }, people, { disabled: true }], /^“Totals” is turned off/],
  ['the right list', ['merge', { left: 'input', join: 'outer' }, [...people, { id: 9 }].toReversed()], /item of “s”/],
])('says where it is lost: %s', (_, list, reason) => {
  const { paired, end } = follow({ s: start, sum: list, last });
  expect(Object.keys(paired)).toEqual(['sum']);
  expect(end).toMatch(reason);
});

it('says so at pins, data that is missing, and equal items that came from different ones', () => {
  expect(follow({ s: start, sum: names, last }, [], { sum: ['x'] }).end).toBe('The output of “Totals” is pinned.');
  expect(follow({ s: ['start', {}, undefined], last }).end).toBe('“s” has no data yet.');
  const twice: Sketch = ['transform', {}, ['A', 'A', 'B'], { each: {} }];
  const sorted: Sketch = ['sort', { items: 'input' }, ['A', 'A', 'B']];
  const { paired, end } = follow({ s: start, twice, sorted, last });
  expect(paired).toEqual({ sorted: 'A', twice: 'A' });
  expect(end).toBe('Which item of “s” it was, only a run can tell.');
});

it('finds the item of a port in what the node was given', () => {
  const condition: Sketch = ['condition', {}, people, { each: {} }];
  const given = [
    { nodeId: 'c', ports: { output: 2, other: 1 } },
    { nodeId: 'last', input: people.slice(1) },
  ];
  expect(follow({ s: start, c: condition, last }, given).paired).toEqual({ c: people[1], s: people[1] });
});
