import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { drawnNodeType, readNodeReference, type NodeReference } from '@/components/graph/summary';
import { readApiError } from '../api-error';
import { useTRPC } from '../trpc';
import { useConnectors } from './useConnectors';

/** An object that a node refers to. `name` is null if it does not exist, or if the caller may not see it. */
export interface NamedReference extends NodeReference {
  name: string | null;
  /** The icon of a connector. */
  icon?: string;
  /** What a connector calls its operations, by their ids. */
  operationTitles?: Readonly<Record<string, string>>;
}

export type ReferenceNames = Readonly<Record<string, NamedReference>>;

type NameQueryResult = { data?: { name: string } | undefined; error?: unknown };

/** Names by id, as the service returned them. Those that are still loading, or whose request failed, are left out. */
export function collectReferenceNames(
  references: readonly NodeReference[],
  answers: readonly NameQueryResult[],
): ReferenceNames {
  return Object.fromEntries(
    references.flatMap((reference, at): [string, NamedReference][] => {
      const { data, error } = answers[at] ?? {};
      if (data) return [[reference.id, { ...reference, name: data.name }]];
      const isHidden = error && ['NOT_FOUND', 'FORBIDDEN'].includes(readApiError(error).code);
      return isHidden ? [[reference.id, { ...reference, name: null }]] : [];
    }),
  );
}

/** What is read of a connector. */
type NamedConnector = Pick<ConnectorResponse, 'id' | 'name' | 'icon'> & {
  operations: readonly { id: string; title: string }[];
};

/** Names, icons and operations of connectors by id; `all` undefined: they are loading. */
export const nameConnectors = (
  references: readonly NodeReference[],
  all: readonly NamedConnector[] | undefined,
): ReferenceNames =>
  Object.fromEntries(
    references.flatMap((reference): [string, NamedReference][] => {
      if (!all) return [];
      const { name = null, icon, operations = [] } = all.find(({ id }) => id === reference.id) ?? {};
      const operationTitles = Object.fromEntries(operations.map(({ id, title }) => [id, title]));
      return [[reference.id, { ...reference, name, icon, operationTitles }]];
    }),
  );

const NAME_QUERY_OPTIONS = { retry: false, staleTime: 60_000 };

/** The names of workflows, tables and connectors by id. `references`: without repetition. */
export function useReferenceNames(references: readonly NodeReference[]): ReferenceNames {
  const trpc = useTRPC();
  const of = (resource: NodeReference['resource']) => references.filter((one) => one.resource === resource);
  const [workflows, tables, connectors] = [of('workflow'), of('table'), of('connector')];
  const { data: all } = useConnectors(connectors.length > 0);
  const ofWorkflows = useQueries({
    queries: workflows.map(({ id }) => trpc.workflows.get.queryOptions({ params: { id } }, NAME_QUERY_OPTIONS)),
    combine: (answers) => collectReferenceNames(workflows, answers),
  });
  const ofTables = useQueries({
    queries: tables.map(({ id }) => trpc.tables.get.queryOptions({ params: { id } }, NAME_QUERY_OPTIONS)),
    combine: (answers) => collectReferenceNames(tables, answers),
  });
  const ids = connectors.map(({ id }) => id).join();
  const ofConnectors = useMemo(() => {
    const isLoaded = all && all.data.length >= all.total;
    const asked = ids === '' ? [] : ids.split(',').map((id) => ({ resource: 'connector' as const, id }));
    return nameConnectors(asked, isLoaded ? all.data : undefined);
  }, [ids, all]);
  return useMemo(() => ({ ...ofWorkflows, ...ofTables, ...ofConnectors }), [ofWorkflows, ofTables, ofConnectors]);
}

/** The node type to draw, with the icon of a connector of the workspace. */
export function useDrawnNodeType(
  node: WorkflowNode,
  kind: NodeTypeDescription | undefined,
): NodeTypeDescription | undefined {
  const reference = readNodeReference(node);
  const found = useReferenceNames(reference?.resource === 'connector' ? [reference] : []);
  return drawnNodeType(node, kind, reference && found[reference.id]?.icon);
}
