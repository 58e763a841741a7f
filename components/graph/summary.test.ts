import { expect, test } from 'vitest';
import { calledIds } from './summary';

const call = (id: string, config: Record<string, unknown>, type = 'sub_workflow') => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config,
});

test('the workflows that nodes call, each once', () => {
  const nodes = [
    call('a', { workflowId: 'wf_1' }),
    call('b', { workflowId: 'wf_2' }),
    call('again', { workflowId: 'wf_1' }),
    call('unset', {}),
    call('expression', { workflowId: '{{ input.id }}' }),
    call('other', { workflowId: 'wf_3' }, 'transform'),
  ];
  expect(calledIds({ nodes, connections: [] })).toEqual(['wf_1', 'wf_2']);
});
