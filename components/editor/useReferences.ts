import { useQuery } from '@tanstack/react-query';
import type { Connector } from '@/contract/connector';
import type { NodeType } from '@/contract/node-type';
import type { Node } from '@/contract/workflow';
import { useTRPC } from '../client/trpc';
import type { Reference } from '../forms/references';
import type { Schema } from '../forms/schema';

interface References {
  /** Choices by `x-editor`. */
  references: Record<string, Reference[]>;
  connectors: Connector[];
}

const NO_CONNECTORS: Connector[] = [];

/** What a node's fields may refer to. Only what its type asks for is fetched. */
export function useReferences(node: Node, kind: NodeType | undefined): References {
  const trpc = useTRPC();
  const fields = Object.values((kind?.configSchema as Schema | undefined)?.properties ?? {});
  const wants = (editor: string) => fields.some((field) => field['x-editor'] === editor);
  const connectors = useQuery(
    trpc.connectors.list.queryOptions({ query: { limit: '100' } }, { enabled: wants('connector'), staleTime: 60_000 }),
  );
  const chosen = connectors.data?.data.find(({ id }) => id === node.config.connectorId);
  return {
    references: {
      connector: connectors.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? [],
      'connector-operation': chosen?.operations.map(({ id, title }) => ({ value: id, label: title })) ?? [],
    },
    connectors: connectors.data?.data ?? NO_CONNECTORS,
  };
}
