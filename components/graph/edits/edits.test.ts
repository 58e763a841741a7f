import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import {
  addNodeToDefinition,
  addConnection,
  connectionIssue,
  moveItems,
  removeConnections,
  removeNodes,
} from './edits';
import { indexNodeTypes, connectionId } from '../cards-and-edges';
import { kind, START, connection } from '../testing/graph';

const step = kind('step');
const catalogue = indexNodeTypes([START, step]);

/** start → step → step_2 */
function chain(): WorkflowDefinition {
  let definition: WorkflowDefinition = { nodes: [], connections: [] };
  for (const type of [START, step, step]) definition = addNodeToDefinition(definition, type, { x: 0, y: 0 }).definition;
  return addConnection(addConnection(definition, connection('start', 'step')), connection('step', 'step_2'));
}

describe('editing a definition', () => {
  it('names nodes after their type and never overlaps them', () => {
    const { nodes } = chain();
    expect(nodes.map((node) => node.id)).toEqual(['start', 'step', 'step_2']);
    expect(new Set(nodes.map((node) => `${node.position.x}/${node.position.y}`)).size).toBe(3);
  });

  it('removes the connections of a removed node', () => {
    expect(removeNodes(chain(), new Set(['step']))).toMatchObject({
      nodes: [{ id: 'start' }, { id: 'step_2' }],
      connections: [],
    });
  });

  it('removes only the given connection', () => {
    const left = removeConnections(chain(), new Set([connectionId(connection('start', 'step'))]));
    expect(left.connections).toEqual([connection('step', 'step_2')]);
  });

  it('moves to whole pixels, and keeps the identity of unmoved nodes', () => {
    const before = chain();
    const after = moveItems(before, new Map([['step', { x: 10.4, y: -3.6 }]]));
    expect(after.nodes[1]?.position).toEqual({ x: 10, y: -4 });
    expect(after.nodes[0]).toBe(before.nodes[0]);
  });
});

describe('connectionIssue', () => {
  it.each([
    ['a second connection between the same ports', connection('start', 'step'), /already/],
    ['a cycle', connection('step_2', 'step'), /cycle/],
    ['a connection to itself', connection('step', 'step'), /itself/],
    ['a connection into the start', connection('step', 'start'), /no input/],
    ['a port that is gone', connection('start', 'step_2', 'nowhere'), /no longer/],
    ['a node that is gone', connection('start', 'ghost'), /no longer exists/],
  ])('refuses %s', (_, connection, reason) => expect(connectionIssue(chain(), catalogue, connection)).toMatch(reason));

  it('allows all others, the error port included', () => {
    expect(connectionIssue(chain(), catalogue, connection('start', 'step_2'))).toBeUndefined();
    expect(connectionIssue(chain(), catalogue, connection('step', 'step_2', 'error'))).toBeUndefined();
  });

  it('never allows a cycle, in any order of connections', () => {
    const ids = ['start', 'step', 'step_2', 'step_3'];
    const attempts = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 30 });
    fc.assert(
      fc.property(attempts, (pairs) => {
        let definition = addNodeToDefinition(chain(), step, { x: 500, y: 0 }).definition;
        for (const [from, to] of pairs)
          if (!connectionIssue(definition, catalogue, connection(from, to)))
            definition = addConnection(definition, connection(from, to));
        const waiting = new Set(ids);
        const isFree = (id: string) =>
          !definition.connections.some((c) => c.targetNode === id && waiting.has(c.sourceNode));
        for (let free; (free = [...waiting].find(isFree));) waiting.delete(free);
        expect(waiting.size).toBe(0);
      }),
    );
  });
});
