import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { WorkflowDefinition } from '@/contract/workflows/workflow';
import { useConnectorDetails, useConnectors } from '@/components/client/queries/useConnectors';
import { isConnectorNode } from './example-outputs';

const EMPTY_CONNECTORS: ConnectorResponse[] = [];

/** The connectors that the nodes of a definition use, with their operations once they are loaded. */
export function useNodeConnectors({ nodes }: WorkflowDefinition): ConnectorResponse[] {
  const services = nodes.filter(isConnectorNode);
  const listed = useConnectors(services.length > 0).data?.data ?? EMPTY_CONNECTORS;
  return useConnectorDetails(
    listed,
    services.map(({ config }) => String(config.connectorId)),
  );
}
