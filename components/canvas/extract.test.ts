import { describe, expect, it } from 'vitest';
import type { Definition } from '@/contract/workflow';
import { extract } from './extract';
import { catalogueOf } from './flow';
import { draw, kind, node, START, wire } from './testing/graph';

const catalogue = catalogueOf([START, kind('step'), kind('fork', { outputs: ['true', 'false', 'error'] })]);
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
const refusal = (definition: Definition, ...ids: string[]) => {
  const done = extract(definition, catalogue, new Set(ids));
  return 'refusal' in done ? done.refusal : undefined;
};

describe('a selection becomes a sub-workflow', () => {
  it('that stands in its place, with what is around it joined to it', () => {
    const done = extract(chain({ d: { expression: 'nodes.c.total' } }), catalogue, new Set(['b', 'c']));
    if ('refusal' in done) throw new Error(done.refusal);
    expect(done.inner).toEqual({
      nodes: [at('start', 300, 'start'), at('b', 600), at('c', 900)],
      connections: [wire('start', 'b'), wire('b', 'c')],
    });
    const { definition, id } = done.outer('wf_1', 'Inner');
    expect(id).toBe('sub_workflow');
    expect(definition.nodes.map((each) => each.id)).toEqual(['start', 'a', 'd', 'sub_workflow']);
    expect(definition.connections).toEqual([wire('start', 'a'), wire('a', 'sub_workflow'), wire('sub_workflow', 'd')]);
    expect(definition.nodes[2]?.config).toEqual({ expression: 'nodes.sub_workflow.total' });
    expect(definition.nodes[3]).toMatchObject({ name: 'Inner', config: { workflowId: 'wf_1' } });
  });

  it('with branches inside, as long as all of them come together again', () => {
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
    expect(refusal(forked, 'f', 'x', 'y')).toContain('more than one way');
    expect(refusal(forked, 'f', 'x')).toContain('more than one way');
    expect(refusal(forked, 'y', 'z')).toContain('different inputs');
    const rejoined = draw(forked.nodes, 'start>x', 'x>y', 'x>z', 'y>z', 'start>z');
    expect(refusal(rejoined, 'y', 'z')).toContain('different inputs');
    expect(refusal(draw(forked.nodes, 'start>x', 'x>y', 'start>y'), 'x', 'y')).toContain('inside and outside');
  });

  it('but not where that would change what a run comes to', () => {
    expect(refusal(chain(), 'start', 'a')).toContain('begins the runs');
    expect(refusal(chain())).toContain('Select the nodes');
    expect(refusal(chain(), 'a', 'c')).toContain('different inputs');
    expect(refusal(chain({ c: { body: '{{ nodes.a.id }}' } }), 'b', 'c')).toBe(
      '“step” speaks of “step”, which stays outside.',
    );
    expect(refusal(chain({ d: { list: ['{{ nodes.b.id }}'] } }), 'b', 'c')).toContain('which would be inside');
    expect(refusal(chain({ b: { url: '{{ execution.input.id }}' } }), 'b')).toContain('speaks of the execution');
    const failing = draw([...chain().nodes, at('e', 900)], 'start>a', 'a>b', 'b:error>e', 'b>c');
    expect(refusal(failing, 'a', 'b')).toContain('select that, too');
    const ending = draw(
      [at('start', 0, 'start'), at('f', 1, 'fork'), at('x', 2), at('y', 3)],
      'start>f',
      'f:true>x',
      'x>y',
    );
    expect(refusal(ending, 'f', 'x')).toContain('can end inside');
    expect(refusal(ending, 'f')).toContain('chooses between ways');
  });
});
