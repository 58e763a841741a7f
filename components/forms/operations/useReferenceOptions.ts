import { useQuery } from '@tanstack/react-query';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { usePermissions } from '@/components/client/usePermissions';
import { useConnectors, useConnectorDetails } from '@/components/client/queries/useConnectors';
import { useCurrentUser } from '@/components/client/useCurrentUser';
import { listStartChoices } from '@/components/ui/start-nodes/start-choices';
import { useTRPC } from '@/components/client/trpc';
import type { ReferenceOption } from '../model/reference-options';
import type { FieldSchema } from '../model/field-schema';

interface NodeReferenceOptions {
  /** Options by `x-editor`. */
  references: Record<string, ReferenceOption[]>;
  connectors: ConnectorResponse[];
}

/** The title of an operation, with its service where a provider has several. */
function operationTitle({ services }: ConnectorResponse, id: string, title: string): string {
  const service = services.find((one) => id.startsWith(`${one.id}.`));
  return service ? `${service.name}: ${title}` : title;
}

const EMPTY_CONNECTOR_LIST: ConnectorResponse[] = [];

/** Options for the reference fields of a node. Only those that its type needs are fetched. */
export function useReferenceOptions(
  config: WorkflowNode['config'],
  kind: NodeTypeDescription | undefined,
): NodeReferenceOptions {
  const trpc = useTRPC();
  const fields = Object.values((kind?.configSchema as FieldSchema | undefined)?.properties ?? {});
  const wants = (editor: string) => fields.some((field) => field['x-editor'] === editor);
  const listed = useConnectors(wants('connector')).data?.data ?? EMPTY_CONNECTOR_LIST;
  const connectors = useConnectorDetails(listed, typeof config.connectorId === 'string' ? [config.connectorId] : []);
  const { workspace } = useCurrentUser();
  const canNameMembers = usePermissions()('member:read') === 'all';
  const members = useQuery(
    trpc.members.list.queryOptions(
      { params: { id: workspace?.id ?? '' }, query: { limit: '100' } },
      { enabled: wants('email-list') && canNameMembers && workspace !== undefined, staleTime: 60_000 },
    ),
  );
  const calledId = typeof config.workflowId === 'string' ? config.workflowId : '';
  const called = useQuery(
    trpc.workflows.get.queryOptions(
      { params: { id: calledId } },
      { enabled: wants('start-node') && calledId !== '', retry: false },
    ),
  );
  const chosen = connectors.find(({ id }) => id === config.connectorId);
  return {
    references: {
      connector: connectors.map(({ id, name }) => ({ value: id, label: name })),
      'connector-operation':
        chosen?.operations.map(({ id, title, isRemoved }) => ({
          value: id,
          label: `${operationTitle(chosen, id, title)}${isRemoved ? ' (removed from its document)' : ''}`,
        })) ?? [],
      'start-node': called.data
        ? listStartChoices(called.data.definition).map(({ id, name }) => ({ value: id, label: name }))
        : [],
      'email-list': members.data?.data.map(({ email, name }) => ({ value: email, label: name })) ?? [],
    },
    connectors,
  };
}
