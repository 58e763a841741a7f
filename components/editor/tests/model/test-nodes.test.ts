import { expect, test } from 'vitest';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { renameRecordKey, roundsInNodePath, listTestableNodes, titleWithRound, setRoundInPath } from './test-nodes';

const type = (name: string, part: Partial<NodeTypeDescription> = {}) =>
  ({
    type: name,
    title: name,
    ports: { inputs: ['input'], outputs: [], dynamicOutputs: null },
    ...part,
  }) as NodeTypeDescription;
const catalogue = indexNodeTypes([
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
const body: WorkflowDefinition = {
  nodes: [node('in', 'start'), node('tell', 'mail', { name: 'Tell' })],
  connections: [],
};
const definition: WorkflowDefinition = {
  nodes: [node('start', 'start'), node('each', 'loop', { config: { body } })],
  connections: [],
};

test('a test names the nodes of the workflow and of its loops, but not where they begin', () => {
  expect(listTestableNodes(definition, catalogue, '[]')).toEqual([
    { path: 'each', title: 'loop', needsMock: false },
    { path: 'each[].tell', title: 'Tell', needsMock: true },
  ]);
});

test('keys are told as nodes with their rounds', () => {
  const titleOf = (path: string) => titleWithRound(definition, catalogue, path);
  expect(['each[].tell', 'each[2].tell', 'each', 'gone'].map(titleOf)).toEqual([
    'Tell, every round',
    'Tell, round 3',
    'loop',
    'gone',
  ]);
  expect(roundsInNodePath('a[].b[3].c')).toEqual([undefined, 3]);
  expect(setRoundInPath('a[].b[3].c', 1, undefined)).toBe('a[].b[].c');
  expect(setRoundInPath('a[].b[3].c', 0, 0)).toBe('a[0].b[3].c');
});

test('a key changes at its place', () => {
  expect(Object.keys(renameRecordKey({ a: 1, b: 2, c: 3 }, 'b', 'x'))).toEqual(['a', 'x', 'c']);
});
