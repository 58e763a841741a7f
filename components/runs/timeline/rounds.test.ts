import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import {
  visibleLoopResults,
  findNestedNode,
  outermostNodeId,
  resultsOutsideLoops,
  outputsInScope,
  defaultRoundResult,
  groupNestedRounds,
  groupByItem,
  groupByRound,
  defaultRound,
  nodeIdPath,
  roundSuffix,
} from './rounds';

const result = (nodeId: string, status: NodeResult['status'] = 'completed'): NodeResult => ({
  nodeId,
  status,
  error: null,
  attempts: 1,
});
const all = [
  result('loop'),
  result('loop[0].step'),
  result('loop[0].deep[0].leaf'),
  result('loop[0].deep[1].leaf', 'failed'),
  result('loop[10].step', 'failed'),
  result('loop[2].step'),
];
const byId = new Map(all.map((each) => [each.nodeId, each]));
const ids = (results: Iterable<NodeResult>) => [...results].map(({ nodeId }) => nodeId);

describe('rounds of a loop', () => {
  it('are separated, in order, each with its own results', () => {
    expect(ids(resultsOutsideLoops(all))).toEqual(['loop']);
    const rounds = groupByRound(all, 'loop');
    expect([...rounds.keys()]).toEqual([0, 2, 10]);
    expect(ids(rounds.get(0) ?? [])).toEqual(['step', 'deep[0].leaf', 'deep[1].leaf']);
  });

  it('are found for a loop inside a loop', () => {
    const inner = groupNestedRounds(all, 'loop[0].deep');
    expect([...inner].map(([round, results]) => [round, ids(results)])).toEqual([
      [0, ['leaf']],
      [1, ['leaf']],
    ]);
    expect([...groupNestedRounds(all, 'loop').keys()]).toEqual([0, 2, 10]);
    expect(groupNestedRounds(all, 'loop[10].deep').size).toBe(0);
  });

  it('default to the first failed round, otherwise the last', () => {
    expect(defaultRound(groupByRound(all, 'loop'))).toBe(0);
    expect(defaultRound(groupByRound([result('loop[0].a'), result('loop[1].a')], 'loop'))).toBe(1);
    expect(defaultRound(new Map())).toBeUndefined();
  });

  it('show the wanted node, otherwise the first failed one, otherwise the last to start', () => {
    const began = (id: string, second: number, status?: NodeResult['status']) => ({
      ...result(id, status),
      startedAt: new Date(second * 1000).toISOString(),
    });
    const fine = [began('second', 2), began('first', 1), result('skipped', 'skipped')];
    expect(defaultRoundResult(fine, undefined)?.nodeId).toBe('second');
    expect(defaultRoundResult(fine, 'first')?.nodeId).toBe('first');
    expect(defaultRoundResult([...fine, began('bad', 0, 'failed')], 'gone')?.nodeId).toBe('bad');
    expect(defaultRoundResult([], undefined)).toBeUndefined();
  });

  it('can be chosen, also in nested loops', () => {
    expect(visibleLoopResults(byId, ['loop'], { loop: 10 }).get('step')?.status).toBe('failed');
    expect(visibleLoopResults(byId, ['loop', 'deep']).get('leaf')?.status).toBe('failed');
    expect(visibleLoopResults(byId, ['loop', 'deep'], { 'loop[0].deep': 0 }).get('leaf')?.status).toBe('completed');
  });

  it('resolve to the node in the definition', () => {
    const node = (id: string, config = {}): WorkflowNode => ({
      id,
      type: 'transform',
      position: { x: 0, y: 0 },
      config,
    });
    const body: WorkflowDefinition = { nodes: [node('step')], connections: [] };
    const definition: WorkflowDefinition = { nodes: [node('loop', { body })], connections: [] };
    expect(findNestedNode(definition, 'loop[4].step')).toBe(body.nodes[0]);
    expect(findNestedNode(definition, 'loop')?.id).toBe('loop');
    expect(findNestedNode(definition, 'loop[4].gone')).toBeUndefined();
    expect(outermostNodeId('loop[4].deep[1].leaf')).toBe('loop');
  });
});

it('lists the outputs that a node in a round could use', () => {
  const given = ['loop', 'step', 'loop[0].step', 'loop[0].deep[1].leaf', 'loop[0].deep[0].leaf', 'loop[1].step'];
  const results = given.map((nodeId) => ({ ...result(nodeId), output: nodeId }));
  expect(outputsInScope(results, 'loop[0].deep[1].leaf')).toEqual({
    loop: 'loop',
    step: 'loop[0].step',
    leaf: 'loop[0].deep[1].leaf',
  });
  expect(outputsInScope(results, 'step')).toEqual({ loop: 'loop', step: 'step' });
});

describe('items of a node that runs for each', () => {
  const items = ['mail', 'mail[1]', 'mail[0]', 'mail[10]', 'loop[2].mail[1]', 'agent[0][1].model'].map(
    (nodeId): NodeResult => ({ nodeId, status: 'completed', error: null, attempts: 1 }),
  );

  it('are no steps of their own, and have an order', () => {
    expect(resultsOutsideLoops(items).map(({ nodeId }) => nodeId)).toEqual(['mail']);
    expect([...groupByItem(items, 'mail').keys()]).toEqual([0, 1, 10]);
    expect([...groupByItem(items, 'loop[2].mail').keys()]).toEqual([1]);
  });

  it('lead to their node', () => {
    expect(nodeIdPath('loop[2].mail[1]')).toEqual(['loop', 'mail']);
    expect(outermostNodeId('mail[1]')).toBe('mail');
    expect(outermostNodeId('agent[0][1].model')).toBe('agent');
    expect(roundSuffix('loop[2].mail[1]')).toBe(', round 3, item 2');
  });
});
