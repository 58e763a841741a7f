import { expect, test } from 'vitest';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { draw, kind, node, START } from '@/components/graph/testing/graph';
import { insertPickedNode } from './node-insertion';

const step = kind('step');
const catalogue = indexNodeTypes([START, step]);
const add = { kind: 'add', at: { x: 900, y: 0 } } as const;
const start = node('start', {}, { type: 'start', x: 40 });
const low = { ...node('low', {}, { x: 340 }), position: { x: 340, y: 200 } };

test('a further start stands below everything, in the column of the first, so that its triggers fit before it', () => {
  const added = insertPickedNode(draw([start, low]), catalogue, { nodeType: START }, { ...add, afterId: 'low' });
  const made = added?.definition.nodes.find(({ id }) => id === added.id);
  expect(made).toMatchObject({ type: 'start', position: { x: 40, y: 360 } });
  expect(added?.definition.connections).toEqual([]);
});

test('the first start, other nodes and what is dropped stand where they are added', () => {
  for (const [nodes, nodeType, insertion] of [
    [[low], START, add],
    [[start, low], step, add],
    [[start, low], START, { ...add, kind: 'drop' }],
  ] as const) {
    const added = insertPickedNode(draw([...nodes]), catalogue, { nodeType }, insertion);
    expect(added?.definition.nodes.at(-1)?.position).toEqual(add.at);
  }
});

test('a node follows the only one with an open output, and stands alone where several are open', () => {
  const chain = draw([start, low], 'start>low');
  expect(insertPickedNode(chain, catalogue, { nodeType: step }, add)?.definition.connections).toMatchObject([
    { sourceNode: 'start', targetNode: 'low' },
    { sourceNode: 'low', targetNode: 'step' },
  ]);
  expect(insertPickedNode(draw([start, low]), catalogue, { nodeType: step }, add)?.definition.connections).toEqual([]);
});
