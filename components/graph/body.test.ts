import { describe, expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { Definition } from '@/contract/workflows/workflow';
import { draw, node } from './testing/graph';
import { bodyAt, withBody } from './body';
import { edited, issuesShown, newDraft, shown } from '@/components/editor/draft/draft';
import { innerResults } from '@/components/executions/timeline/rounds';

const innermost = draw([node('deep')]);
const inner = draw([node('first'), node('inside', { body: innermost })]);
const outer = draw([node('loop', { items: 'input', body: inner })]);

describe('the body of a loop', () => {
  it('is found and replaced at any depth, the rest is unchanged', () => {
    expect(bodyAt(outer, ['loop', 'inside'])).toBe(innermost);
    const changed = withBody(outer, ['loop', 'inside'], draw([node('new')]));
    expect(bodyAt(changed, ['loop', 'inside']).nodes[0]?.id).toBe('new');
    expect(changed.nodes[0]?.config.items).toBe('input');
    expect(bodyAt(changed, ['loop']).nodes[0]).toBe(inner.nodes[0]);
  });

  it('is a start node by default', () => {
    const bare = draw([node('loop')]);
    expect(bodyAt(bare, ['loop']).nodes.map(({ type }) => type)).toEqual(['start']);
    expect(bodyAt(bare, ['loop'])).toBe(bodyAt(bare, ['loop']));
    expect(bodyAt(bare, ['gone']).nodes.map(({ id }) => id)).toEqual(['start']);
  });

  it('names its start after its loop, and like nothing around it', () => {
    const ids = (definition: Definition, ...path: string[]) => bodyAt(definition, path).nodes.map(({ id }) => id);
    const bare = draw([node('for_each')]);
    expect(ids(bare, 'for_each')).toEqual(['for_each_start']);
    // A loop in a loop has the same id as the one around it, as the editor gives ids.
    const within = bodyAt(bare, ['for_each']);
    const nested = withBody(bare, ['for_each'], { ...within, nodes: [...within.nodes, node('for_each')] });
    expect(ids(nested, 'for_each', 'for_each')).toEqual(['for_each_start_2']);
  });

  it('changes on the canvas as one undo step of the workflow', () => {
    const workflow = { id: 'wf_1', name: 'Loops', definition: outer };
    const draft = { ...newDraft(workflow as Parameters<typeof newDraft>[0]), path: ['loop'] };
    const after = { ...draft, ...edited(draft, { nodes: [], connections: [] }) };
    expect(shown(after).nodes).toEqual([]);
    expect(after.past).toEqual([outer]);
  });

  it('shows its issues at its own nodes', () => {
    const issues = [
      { field: 'nodes[0].config.body.nodes[1].config.items', message: 'is required' },
      { field: 'nodes[0].config.items', message: 'is odd' },
    ];
    expect([...issuesShown({ definition: outer, path: ['loop'], issues })]).toEqual([
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
    expect(innerResults(results, ['loop']).get('step')?.output).toBe('k');
    expect(innerResults(results, ['loop', 'inside']).get('deep')?.output).toBe('x');
    expect(innerResults(results, [])).toBe(results);
  });
});
