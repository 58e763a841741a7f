import type { NodeResult } from '@/contract/execution';
import type { Connector } from '@/contract/connectors/connector';
import type { Definition, Node } from '@/contract/workflows/workflow';
import { operationIn } from '@/components/forms/operations/operation';
import type { Pins } from '../pins/pins';

export const isService = ({ type }: Node): boolean => type === 'connector';

/** Outputs of service nodes that have none yet: the example of their operation. */
export function samplesFor(
  { nodes }: Definition,
  connectors: readonly Connector[],
  results: ReadonlyMap<string, NodeResult>,
): Pins {
  const samples = nodes.flatMap((node) => {
    const result = results.get(node.id);
    if (!isService(node) || result?.output !== undefined || result?.omitted?.includes('output')) return [];
    const operation = operationIn(connectors, node.config);
    return operation && 'example' in operation
      ? [[node.id, { status: 200, headers: {}, body: operation.example }] as const]
      : [];
  });
  return Object.fromEntries(samples);
}
