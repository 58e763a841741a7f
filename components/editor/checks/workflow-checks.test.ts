import { describe, expect, it } from 'vitest';
import type { WorkflowDraft } from '@/contract/workflows/workflow';
import { findBlockedTargets } from '@/components/graph/blocked';
import { indexNodeTypes } from '@/components/graph/cards-and-edges';
import { draw, kind, node, START } from '@/components/graph/testing/graph';
import { collectChecks } from './workflow-checks';
import { canvasIssuesByNode } from '../draft/draft';
import { dropFieldIssues } from './locate-issue';

const catalogue = indexNodeTypes([
  START,
  kind('step'),
  kind('for_each', {}, { configSchema: { properties: { body: { 'x-literal': true } } } }),
]);
const body = draw([node('in', {}, { type: 'start' }), node('work')], 'in>work');
const definition = draw(
  [node('s', {}, { type: 'start' }), node('a'), node('loop', { body }, { type: 'for_each' }), node('loose')],
  's>a',
  'a>loop',
);
const draft = { definition, saved: { version: 3, definition } as WorkflowDraft, issues: [] };

describe('checks', () => {
  it('point to the node, also inside loops', () => {
    const gaps = [
      { field: 'nodes[1].config.url', message: 'is required' },
      { field: 'nodes[2].config.body.nodes[1].config.subject', message: 'is required' },
      { field: 'nodes', message: 'a start node is needed' },
    ];
    expect(collectChecks(draft, { version: 3, gaps }, catalogue)).toMatchObject([
      { path: [], nodeId: 'a', title: 'step', field: 'config.url', message: 'url is required', isHint: false },
      { path: ['loop'], nodeId: 'work', message: 'subject is required' },
      { path: [], nodeId: undefined, title: 'Workflow', message: 'a start node is needed' },
      { path: [], nodeId: 'loose', isHint: true },
    ]);
  });

  it('point to a reference that the service refused, also inside a loop', () => {
    const message = 'needs the permission credential:use on cred_1';
    const issues = [
      { field: 'nodes[1].credentialId', message },
      { field: 'nodes[2].config.body.nodes[1].credentialId', message },
    ];
    const found = collectChecks({ ...draft, issues }, undefined, catalogue).filter(({ isHint }) => !isHint);
    expect(found).toMatchObject([
      { path: [], nodeId: 'a', message: `Credential ${message}` },
      { path: ['loop'], nodeId: 'work', message: `Credential ${message}` },
    ]);
    const inside = canvasIssuesByNode({ definition, path: ['loop'], issues });
    expect(inside).toEqual(new Map([['work', [{ field: 'credentialId', message }]]]));
    expect([...canvasIssuesByNode({ definition, path: [], issues }).keys()]).toEqual(['a', 'loop']);
  });

  it('are settled for a field that changes, with what is in it', () => {
    const of = (...fields: string[]) => fields.map((field) => ({ field, message: 'is wrong' }));
    const issues = of('nodes[1].config.to[1]', 'nodes[1].config.total', 'nodes[2].config.body.nodes[1].config.to');
    const left = dropFieldIssues({ definition, path: [], issues }, 'a', 'config.to');
    expect(left).toEqual(issues.slice(1));
    expect(dropFieldIssues({ definition, path: ['loop'], issues }, 'work', 'config.to')).toEqual(issues.slice(0, 2));
    expect(dropFieldIssues({ definition, path: [], issues }, 'a', 'name')).toBe(issues);
  });

  it('name what expressions read and does not exist, also inside a loop', () => {
    const inner = draw([node('in', {}, { type: 'start' }), node('work', { a: '{{ nodes.aa.id }}' })], 'in>work');
    const nodes = [node('s', {}, { type: 'start' }), node('a', { b: '{{ vars.HOTS }}' })];
    const loop = node('loop', { body: inner }, { type: 'for_each' });
    const unchecked = { ...draft, definition: draw([...nodes, loop], 's>a', 'a>loop') };
    expect(collectChecks(unchecked, undefined, catalogue, new Set(['HOST']))).toMatchObject([
      {
        path: [],
        nodeId: 'a',
        message: 'There is no variable “HOTS”. Did you mean “HOST”?',
        field: 'config.b',
        isHint: true,
      },
      { path: ['loop'], nodeId: 'work', message: 'There is no node “aa” here. Did you mean “a”?', isHint: true },
    ]);
  });

  it('leave out gaps of another version, and deleted nodes', () => {
    const gaps = [{ field: 'nodes[1].config.url', message: 'is required' }];
    expect(collectChecks(draft, { version: 2, gaps }, catalogue).filter(({ isHint }) => !isHint)).toEqual([]);
    const nodes = definition.nodes.filter(({ id }) => id !== 'a');
    const without = { ...draft, definition: { nodes, connections: [] } };
    const checks = collectChecks(without, { version: 3, gaps }, catalogue);
    expect(checks.filter(({ isHint }) => !isHint)).toEqual([]);
    expect(checks.map(({ nodeId }) => nodeId)).toEqual(['loop', 'loose']);
  });
});

describe('while a connection is dragged', () => {
  it('nodes that it can’t end at show the reason', () => {
    const forward = findBlockedTargets(definition, catalogue, { nodeId: 'a', port: 'output', type: 'source' });
    expect([...forward.keys()]).toEqual(['s', 'loop']);
    expect(forward.get('loop')).toBe('Already connected');
    expect(
      findBlockedTargets(definition, catalogue, { nodeId: 'loop', port: 'output', type: 'source' }).get('a'),
    ).toContain('cycle');
    const backward = findBlockedTargets(definition, catalogue, { nodeId: 'a', port: 'input', type: 'target' });
    expect([...backward.keys()]).toEqual(['loop']);
  });
});
