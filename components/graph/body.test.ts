import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { draw, node } from './testing/graph';
import { definitionAtPath, replaceBodyAtPath } from './body';
import { editCanvas, canvasIssuesByNode, createDraftState, canvasDefinition } from '@/components/editor/draft/draft';
import { visibleLoopResults } from '@/components/runs/timeline/rounds';

const innermost = draw([node('deep')]);
const inner = draw([node('first'), node('inside', { body: innermost })]);
const outer = draw([node('loop', { items: 'input', body: inner })]);

describe('the body of a loop', () => {
  it('is found and replaced at any depth, the rest is unchanged', () => {
    expect(definitionAtPath(outer, ['loop', 'inside'])).toBe(innermost);
    const changed = replaceBodyAtPath(outer, ['loop', 'inside'], draw([node('new')]));
    expect(definitionAtPath(changed, ['loop', 'inside']).nodes[0]?.id).toBe('new');
    expect(changed.nodes[0]?.config.items).toBe('input');
    expect(definitionAtPath(changed, ['loop']).nodes[0]).toBe(inner.nodes[0]);
  });

  it('is a start node by default', () => {
    const bare = draw([node('loop')]);
    expect(definitionAtPath(bare, ['loop']).nodes.map(({ type }) => type)).toEqual(['start']);
    expect(definitionAtPath(bare, ['loop'])).toBe(definitionAtPath(bare, ['loop']));
    expect(definitionAtPath(bare, ['gone']).nodes.map(({ id }) => id)).toEqual(['start']);
  });

  it('names its start after its loop, and like nothing around it', () => {
    const ids = (definition: WorkflowDefinition, ...path: string[]) =>
      definitionAtPath(definition, path).nodes.map(({ id }) => id);
    const bare = draw([node('for_each')]);
    expect(ids(bare, 'for_each')).toEqual(['for_each_start']);
    // A loop in a loop has the same id as the one around it, as the editor gives ids.
    const within = definitionAtPath(bare, ['for_each']);
    const nested = replaceBodyAtPath(bare, ['for_each'], { ...within, nodes: [...within.nodes, node('for_each')] });
    expect(ids(nested, 'for_each', 'for_each')).toEqual(['for_each_start_2']);
  });

  it('changes on the canvas as one undo step of the workflow', () => {
    const workflow = { id: 'wf_1', name: 'Loops', definition: outer };
    const draft = { ...createDraftState(workflow as Parameters<typeof createDraftState>[0]), path: ['loop'] };
    const after = { ...draft, ...editCanvas(draft, { nodes: [], connections: [] }) };
    expect(canvasDefinition(after).nodes).toEqual([]);
    expect(after.past).toEqual([outer]);
  });

  it('shows its issues at its own nodes', () => {
    const issues = [
      { field: 'nodes[0].config.body.nodes[1].config.items', message: 'is required' },
      { field: 'nodes[0].config.items', message: 'is odd' },
    ];
    expect([...canvasIssuesByNode({ definition: outer, path: ['loop'], issues })]).toEqual([
      ['inside', [{ field: 'config.items', message: 'is required' }]],
    ]);
  });
});

describe('results inside a loop', () => {
  it('are those of the last round', () => {
    const result = (nodeId: string, output: unknown): [string, NodeResult] => [
      nodeId,
      { nodeId, status: 'completed', error: null, attempts: 1, output },
    ];
    const results = new Map([
      result('loop', []),
      result('loop[2].step', 'c'),
      result('loop[10].step', 'k'),
      result('loop[10].inside[0].deep', 'x'),
      result('looping[11].step', 'no'),
    ]);
    expect(visibleLoopResults(results, ['loop']).get('step')?.output).toBe('k');
    expect(visibleLoopResults(results, ['loop', 'inside']).get('deep')?.output).toBe('x');
    expect(visibleLoopResults(results, [])).toBe(results);
  });
});
