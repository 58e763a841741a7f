import { describe, expect, it } from 'vitest';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { extractSubWorkflow } from './extract';
import { indexNodeTypes } from '../cards-and-edges';
import { draw, kind, node, START, connection } from '../testing/graph';

const catalogue = indexNodeTypes([START, kind('step'), kind('fork', { outputs: ['true', 'false', 'error'] })]);
const at = (id: string, x: number, type = 'step', config = {}) => node(id, config, { type, x });
const chain = (config: Record<string, object> = {}) =>
  draw(
    [
      at('start', 0, 'start'),
      ...['a', 'b', 'c', 'd'].map((id, place) => at(id, 300 + place * 300, 'step', config[id])),
    ],
    'start>a',
    'a>b',
    'b>c',
    'c>d',
  );
const refusal = (definition: WorkflowDefinition, ...ids: string[]) => {
  const done = extractSubWorkflow(definition, catalogue, new Set(ids));
  return 'refusal' in done ? done.refusal : undefined;
};

describe('extracting a sub-workflow', () => {
  it('replaces the selection, connected to the nodes around it', () => {
    const done = extractSubWorkflow(chain({ d: { expression: 'nodes.c.total' } }), catalogue, new Set(['b', 'c']));
    if ('refusal' in done) throw new Error(done.refusal);
    expect(done.inner).toEqual({
      nodes: [at('start', 300, 'start'), at('b', 600), at('c', 900)],
      connections: [connection('start', 'b'), connection('b', 'c')],
    });
    const { definition, id } = done.outer('wf_1', 'Inner');
    expect(id).toBe('sub_workflow');
    expect(definition.nodes.map((each) => each.id)).toEqual(['start', 'a', 'd', 'sub_workflow']);
    expect(definition.connections).toEqual([
      connection('start', 'a'),
      connection('a', 'sub_workflow'),
      connection('sub_workflow', 'd'),
    ]);
    expect(definition.nodes[2]?.config).toEqual({ expression: 'nodes.sub_workflow.total' });
    expect(definition.nodes[3]).toMatchObject({ name: 'Inner', config: { workflowId: 'wf_1' } });
  });

  it('allows branches that all join again inside', () => {
    const forked = draw(
      [at('start', 0, 'start'), at('f', 1, 'fork'), at('x', 2), at('y', 3), at('z', 4), at('after', 5)],
      'start>f',
      'f:true>x',
      'f:false>y',
      'x>z',
      'y>z',
      'z>after',
    );
    expect(refusal(forked, 'f', 'x', 'y', 'z')).toBeUndefined();
    expect(refusal(forked, 'f', 'x', 'y', 'z', 'after')).toBeUndefined();
    expect(refusal(forked, 'f', 'x', 'y')).toContain('more than one output');
    expect(refusal(forked, 'f', 'x')).toContain('more than one output');
    expect(refusal(forked, 'y', 'z')).toContain('different inputs');
    const rejoined = draw(forked.nodes, 'start>x', 'x>y', 'x>z', 'y>z', 'start>z');
    expect(refusal(rejoined, 'y', 'z')).toContain('different inputs');
    expect(refusal(draw(forked.nodes, 'start>x', 'x>y', 'start>y'), 'x', 'y')).toContain('inside and outside');
  });

  it('refuses a selection if the result of runs would change', () => {
    expect(refusal(chain(), 'start', 'a')).toContain('start node');
    expect(refusal(chain())).toContain('Select the nodes');
    expect(refusal(chain(), 'a', 'c')).toContain('different inputs');
    expect(refusal(chain({ c: { body: '{{ nodes.a.id }}' } }), 'b', 'c')).toBe(
      '“step” refers to “step”, which is outside of the selection.',
    );
    expect(refusal(chain({ d: { list: ['{{ nodes.b.id }}'] } }), 'b', 'c')).toContain('which would move');
    expect(refusal(chain({ b: { url: '{{ execution.input.id }}' } }), 'b')).toContain('refers to the execution');
    const failing = draw([...chain().nodes, at('e', 900)], 'start>a', 'a>b', 'b:error>e', 'b>c');
    expect(refusal(failing, 'a', 'b')).toContain('Select its target too');
    const ending = draw(
      [at('start', 0, 'start'), at('f', 1, 'fork'), at('x', 2), at('y', 3)],
      'start>f',
      'f:true>x',
      'x>y',
    );
    expect(refusal(ending, 'f', 'x')).toContain('can end inside');
    expect(refusal(ending, 'f')).toContain('several output ports');
  });
});
