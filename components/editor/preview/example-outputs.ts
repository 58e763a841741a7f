import type { NodeResult } from '@/contract/execution';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { WorkflowDefinition, WorkflowNode } from '@/contract/workflows/workflow';
import { findOperation } from '@/components/forms/operations/connector-operation';
import type { OutputsByNode } from '../pins/pinned-outputs';

export const isConnectorNode = ({ type }: WorkflowNode): boolean => type === 'connector';

/** Outputs of service nodes that have none yet: the example of their operation. */
export function exampleOutputs(
  { nodes }: WorkflowDefinition,
  connectors: readonly ConnectorResponse[],
  results: ReadonlyMap<string, NodeResult>,
): OutputsByNode {
  const samples = nodes.flatMap((node) => {
    const result = results.get(node.id);
    if (!isConnectorNode(node) || result?.output !== undefined || result?.omitted?.includes('output')) return [];
    const operation = findOperation(connectors, node.config);
    if (!operation || !('example' in operation)) return [];
    const answer = { status: 200, headers: {}, body: operation.example };
    return [[node.id, node.each && !node.disabled ? [answer] : answer] as const];
  });
  return Object.fromEntries(samples);
}
