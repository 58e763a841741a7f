import { describe, expect, it } from 'vitest';
import type { WorkflowDraft } from '@/contract/workflow';
import { blockedFor } from '../canvas/blocked';
import { catalogueOf } from '../canvas/flow';
import { draw, kind, node, START } from '../canvas/testing/graph';
import { checksOf } from './checks';

const catalogue = catalogueOf([START, kind('step'), kind('for_each')]);
const body = draw([node('in', {}, { type: 'start' }), node('work')], 'in>work');
const definition = draw(
  [node('s', {}, { type: 'start' }), node('a'), node('loop', { body }, { type: 'for_each' }), node('loose')],
  's>a',
  'a>loop',
);
const draft = { definition, saved: { version: 3, definition } as WorkflowDraft, issues: [] };

describe('checks', () => {
  it('lead to the node, through loops as well', () => {
    const gaps = [
      { field: 'nodes[1].config.url', message: 'is required' },
      { field: 'nodes[2].config.body.nodes[1].config.subject', message: 'is required' },
      { field: 'nodes', message: 'a start node is needed' },
    ];
    expect(checksOf(draft, { version: 3, gaps }, catalogue)).toMatchObject([
      { path: [], nodeId: 'a', title: 'step', message: 'url is required', isHint: false },
      { path: ['loop'], nodeId: 'work', message: 'subject is required' },
      { path: [], nodeId: undefined, title: 'Workflow', message: 'nodes a start node is needed' },
      { path: [], nodeId: 'loose', isHint: true },
    ]);
  });

  it('leave out what another version lacked, and nodes that are gone', () => {
    const gaps = [{ field: 'nodes[1].config.url', message: 'is required' }];
    expect(checksOf(draft, { version: 2, gaps }, catalogue).filter(({ isHint }) => !isHint)).toEqual([]);
    const nodes = definition.nodes.filter(({ id }) => id !== 'a');
    const without = { ...draft, definition: { nodes, connections: [] } };
    const checks = checksOf(without, { version: 3, gaps }, catalogue);
    expect(checks.filter(({ isHint }) => !isHint)).toEqual([]);
    expect(checks.map(({ nodeId }) => nodeId)).toEqual(['loop', 'loose']);
  });
});

describe('while a connection is drawn', () => {
  it('nodes that it can’t lead to say why', () => {
    const forward = blockedFor(definition, catalogue, { nodeId: 'a', port: 'output', type: 'source' });
    expect([...forward.keys()]).toEqual(['s', 'loop']);
    expect(forward.get('loop')).toBe('Joined already');
    expect(blockedFor(definition, catalogue, { nodeId: 'loop', port: 'output', type: 'source' }).get('a')).toContain(
      'circle',
    );
    const backward = blockedFor(definition, catalogue, { nodeId: 'a', port: 'input', type: 'target' });
    expect([...backward.keys()]).toEqual(['loop']);
  });
});
