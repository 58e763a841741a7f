import { expect, it } from 'vitest';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { NodeResult } from '@/contract/execution';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { exampleOutputs } from './example-outputs';

const node = (id: string, type: string, operation = 'find') => ({
  id,
  type,
  position: { x: 0, y: 0 },
  config: { connectorId: 'crm', operation },
});
const definition: WorkflowDefinition = {
  nodes: [
    node('a', 'connector'),
    node('b', 'connector'),
    node('c', 'transform'),
    node('d', 'connector', 'other'),
    { ...node('e', 'connector'), each: {} },
  ],
  connections: [],
};
const connectors = [
  { id: 'crm', operations: [{ id: 'find', example: [1] }, { id: 'other' }] },
] as unknown as ConnectorResponse[];

it('a service node without an output has the example of its operation', () => {
  const results = new Map([['b', { nodeId: 'b', output: 7 } as NodeResult]]);
  expect(exampleOutputs(definition, connectors, results)).toEqual({
    a: { status: 200, headers: {}, body: [1] },
    e: [{ status: 200, headers: {}, body: [1] }],
  });
});
