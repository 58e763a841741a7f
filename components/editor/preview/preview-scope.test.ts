import { expect, it } from 'vitest';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { omittedDataUpstream, buildNodePreview } from './preview-scope';

const node = (id: string) => ({ id, type: 'transform', position: { x: 0, y: 0 }, config: {} });
const connection = (sourceNode: string, targetNode: string) => ({
  sourceNode,
  sourcePort: 'output',
  targetNode,
  targetPort: 'input',
});
const definition: WorkflowDefinition = {
  nodes: ['a', 'b', 'c', 'd'].map(node),
  connections: [connection('a', 'b'), connection('b', 'c'), connection('a', 'd'), connection('b', 'd')],
};
const large = (nodeId: string, omitted: NodeResult['omitted']): [string, NodeResult] => [
  nodeId,
  { nodeId, status: 'completed', error: null, attempts: 1, omitted, omittedBytes: { input: 7, output: 9 } },
];
const results = new Map([large('a', undefined), large('b', ['output']), large('c', ['input']), large('d', ['input'])]);

it('loads the output of a single source once, as the input too', () => {
  expect(omittedDataUpstream(definition, 'c', results, {})).toEqual([{ label: 'input', nodeId: 'b', bytes: 9 }]);
});

it('loads the combined input of several sources', () => {
  expect(omittedDataUpstream(definition, 'd', results, {})).toEqual([
    { label: 'input', nodeId: 'd', bytes: 7 },
    { label: 'nodes.b', nodeId: 'b', bytes: 9 },
  ]);
});

it('does not load pinned data, and reports whether all data is loaded', () => {
  expect(omittedDataUpstream(definition, 'c', results, { b: [1] })).toEqual([]);
  expect(buildNodePreview(definition, 'c', results, {}, undefined).isPartial).toBe(true);
  expect(buildNodePreview(definition, 'c', results, { b: [1] }, undefined).isPartial).toBe(false);
});

it('knows what started the run, and the names of nodes with addresses', () => {
  const wait = { id: 'w', type: 'wait_for_call', position: { x: 0, y: 0 }, config: {} };
  const { scope } = buildNodePreview(
    { ...definition, nodes: [...definition.nodes, wait] },
    'c',
    results,
    {},
    undefined,
  );
  expect(scope.execution).toMatchObject({ trigger: { kind: 'manual', id: null, name: null } });
  expect(Object.keys(scope.execution.resumeUrls)).toEqual(['w']);
});
