import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { buildNodeCards, indexNodeTypes, outputPorts, connectionId, buildCanvasEdges } from './cards-and-edges';
import { draw, kind, node, connection } from './testing/graph';

const catalogue = indexNodeTypes([
  kind('step'),
  kind('switch', { outputs: ['default', 'error'], dynamicOutputs: 'cases' }),
]);

const itself = (id: string) => id;

describe('outputPorts', () => {
  it('lists the cases of a switch before its default, without the error port', () => {
    const cases = [{ value: 1, port: 'one' }, { value: 2, port: 'two' }, { value: 3 }, null, 'broken'];
    expect(outputPorts(node('s', { cases }, { type: 'switch' }), catalogue.get('switch'), [])).toEqual([
      'one',
      'two',
      'default',
    ]);
  });

  it('keeps the ports in use of a node whose type this installation does not know', () => {
    const used = [connection('x', 'y', 'left')];
    expect(outputPorts(node('x', {}, { type: 'from_elsewhere' }), undefined, used)).toEqual(['output', 'left']);
  });
});

describe('cardsOf and edgesOf', () => {
  const definition: WorkflowDefinition = draw([node('a'), node('b')], 'a:error>b');

  it('draws each node and connection once', () => {
    const cards = buildNodeCards(definition, catalogue, itself);
    expect(cards.map((card) => card.id)).toEqual(['a', 'b']);
    expect(cards[0]?.data.hasErrorPath).toBe(true);
    expect(buildCanvasEdges(definition, itself)).toMatchObject([
      { source: 'a', sourceHandle: 'error', target: 'b', targetHandle: 'input' },
    ]);
  });

  it('keeps the cards of unchanged nodes, and size and selection of changed ones', () => {
    const cards = buildNodeCards(definition, catalogue, itself).map((card) => ({
      ...card,
      selected: true,
      measured: { width: 9, height: 9 },
    }));
    const [a, b] = definition.nodes as [WorkflowNode, WorkflowNode];
    const next = buildNodeCards({ ...definition, nodes: [a, { ...b, name: 'Renamed' }] }, catalogue, itself, cards);
    expect(next[0]).toBe(cards[0]);
    expect(next[1]).not.toBe(cards[1]);
    expect(next[1]).toMatchObject({
      selected: true,
      measured: { width: 9, height: 9 },
      data: { node: { name: 'Renamed' } },
    });
  });

  it('gives different connections different ids for any port names', () => {
    const connection = fc.record({
      sourceNode: fc.string(),
      sourcePort: fc.string(),
      targetNode: fc.string(),
      targetPort: fc.string(),
    });
    fc.assert(
      fc.property(connection, connection, (one, other) => {
        const same = Object.entries(one).every(([key, value]) => other[key as keyof typeof other] === value);
        expect(connectionId(one) === connectionId(other)).toBe(same);
      }),
    );
  });
});
