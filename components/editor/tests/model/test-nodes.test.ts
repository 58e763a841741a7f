import { expect, test } from 'vitest';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Definition } from '@/contract/workflows/workflow';
import { catalogueOf } from '@/components/graph/flow';
import { renamed, roundsOfKey, testNodes, testNodeTitle, withRound } from './test-nodes';

const type = (name: string, part: Partial<NodeType> = {}) =>
  ({ type: name, title: name, ports: { inputs: ['input'], outputs: [], dynamicOutputs: null }, ...part }) as NodeType;
const catalogue = catalogueOf([
  type('start', { ports: { inputs: [], outputs: [], dynamicOutputs: null } }),
  type('loop'),
  type('mail', { needsMock: true }),
]);
const node = (id: string, kind: string, part: object = {}) => ({
  id,
  type: kind,
  position: { x: 0, y: 0 },
  config: {},
  ...part,
});
const body: Definition = { nodes: [node('in', 'start'), node('tell', 'mail', { name: 'Tell' })], connections: [] };
const definition: Definition = {
  nodes: [node('start', 'start'), node('each', 'loop', { config: { body } })],
  connections: [],
};

test('a test names the nodes of the workflow and of its loops, but not where they begin', () => {
  expect(testNodes(definition, catalogue, '[]')).toEqual([
    { path: 'each', title: 'loop', needsMock: false },
    { path: 'each[].tell', title: 'Tell', needsMock: true },
  ]);
});

test('keys are told as nodes with their rounds', () => {
  const titleOf = (path: string) => testNodeTitle(definition, catalogue, path);
  expect(['each[].tell', 'each[2].tell', 'each', 'gone'].map(titleOf)).toEqual([
    'Tell, every round',
    'Tell, round 3',
    'loop',
    'gone',
  ]);
  expect(roundsOfKey('a[].b[3].c')).toEqual([undefined, 3]);
  expect(withRound('a[].b[3].c', 1, undefined)).toBe('a[].b[].c');
  expect(withRound('a[].b[3].c', 0, 0)).toBe('a[0].b[3].c');
});

test('a key changes at its place', () => {
  expect(Object.keys(renamed({ a: 1, b: 2, c: 3 }, 'b', 'x'))).toEqual(['a', 'x', 'c']);
});
