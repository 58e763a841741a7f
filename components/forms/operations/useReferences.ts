import { useQuery } from '@tanstack/react-query';
import type { Connector } from '@/contract/connectors/connector';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { useCan } from '@/components/client/useCan';
import { useConnectors, useDetailed } from '@/components/client/queries/useConnectors';
import { useMe } from '@/components/client/useMe';
import { useTRPC } from '@/components/client/trpc';
import type { Reference } from '../model/references';
import type { Schema } from '../model/schema';

interface References {
  /** Options by `x-editor`. */
  references: Record<string, Reference[]>;
  connectors: Connector[];
}

/** The title of an operation, with its service where a provider has several. */
function titleIn({ services }: Connector, id: string, title: string): string {
  const service = services.find((one) => id.startsWith(`${one.id}.`));
  return service ? `${service.name}: ${title}` : title;
}

const NO_CONNECTORS: Connector[] = [];

/** Options for the reference fields of a node. Only those that its type needs are fetched. */
export function useReferences(config: Node['config'], kind: NodeType | undefined): References {
  const trpc = useTRPC();
  const fields = Object.values((kind?.configSchema as Schema | undefined)?.properties ?? {});
  const wants = (editor: string) => fields.some((field) => field['x-editor'] === editor);
  const listed = useConnectors(wants('connector')).data?.data ?? NO_CONNECTORS;
  const connectors = useDetailed(listed, typeof config.connectorId === 'string' ? [config.connectorId] : []);
  const { workspace } = useMe();
  const canNameMembers = useCan()('member:read') === 'all';
  const members = useQuery(
    trpc.members.list.queryOptions(
      { params: { id: workspace?.id ?? '' }, query: { limit: '100' } },
      { enabled: wants('email-list') && canNameMembers && workspace !== undefined, staleTime: 60_000 },
    ),
  );
  const chosen = connectors.find(({ id }) => id === config.connectorId);
  return {
    references: {
      connector: connectors.map(({ id, name }) => ({ value: id, label: name })),
      'connector-operation':
        chosen?.operations.map(({ id, title, isRemoved }) => ({
          value: id,
          label: `${titleIn(chosen, id, title)}${isRemoved ? ' (removed from its document)' : ''}`,
        })) ?? [],
      'email-list': members.data?.data.map(({ email, name }) => ({ value: email, label: name })) ?? [],
    },
    connectors,
  };
}
