import { useMemo } from 'react';
import { useQueries } from '@tanstack/react-query';
import type { Connector } from '@/contract/connectors/connector';
import type { NodeType } from '@/contract/workflows/node-type';
import type { Node } from '@/contract/workflows/workflow';
import { drawnKind, referenceOf, type Reference } from '@/components/graph/summary';
import { problemOf } from '../problem';
import { useTRPC } from '../trpc';
import { useConnectors } from './useConnectors';

/** What a node names. `name` null: it does not exist, or the caller may not see it. */
export interface Named extends Reference {
  name: string | null;
  /** Of a connector. */
  icon?: string;
}

export type NamedReferences = Readonly<Record<string, Named>>;

type Answer = { data?: { name: string } | undefined; error?: unknown };

/** What the service said: names by id; without those that are loading or could not be asked for. */
export function named(references: readonly Reference[], answers: readonly Answer[]): NamedReferences {
  return Object.fromEntries(
    references.flatMap((reference, at): [string, Named][] => {
      const { data, error } = answers[at] ?? {};
      if (data) return [[reference.id, { ...reference, name: data.name }]];
      const isHidden = error && ['NOT_FOUND', 'FORBIDDEN'].includes(problemOf(error).code);
      return isHidden ? [[reference.id, { ...reference, name: null }]] : [];
    }),
  );
}

/** Names and icons of connectors by id; `all` undefined: they are loading. */
export const namedConnectors = (
  references: readonly Reference[],
  all: readonly Pick<Connector, 'id' | 'name' | 'icon'>[] | undefined,
): NamedReferences =>
  Object.fromEntries(
    references.flatMap((reference): [string, Named][] => {
      const { name = null, icon } = all?.find(({ id }) => id === reference.id) ?? {};
      return all ? [[reference.id, { ...reference, name, icon }]] : [];
    }),
  );

const KEPT = { retry: false, staleTime: 60_000 };

/** The names of workflows, tables and connectors by id. `references`: without repetition. */
export function useReferences(references: readonly Reference[]): NamedReferences {
  const trpc = useTRPC();
  const of = (resource: Reference['resource']) => references.filter((one) => one.resource === resource);
  const [workflows, tables, connectors] = [of('workflow'), of('table'), of('connector')];
  const { data: all } = useConnectors(connectors.length > 0);
  const ofWorkflows = useQueries({
    queries: workflows.map(({ id }) => trpc.workflows.get.queryOptions({ params: { id } }, KEPT)),
    combine: (answers) => named(workflows, answers),
  });
  const ofTables = useQueries({
    queries: tables.map(({ id }) => trpc.tables.get.queryOptions({ params: { id } }, KEPT)),
    combine: (answers) => named(tables, answers),
  });
  const ids = connectors.map(({ id }) => id).join();
  const ofConnectors = useMemo(() => {
    const isLoaded = all && all.data.length >= all.total;
    const asked = ids === '' ? [] : ids.split(',').map((id) => ({ resource: 'connector' as const, id }));
    return namedConnectors(asked, isLoaded ? all.data : undefined);
  }, [ids, all]);
  return useMemo(() => ({ ...ofWorkflows, ...ofTables, ...ofConnectors }), [ofWorkflows, ofTables, ofConnectors]);
}

/** The node type to draw, with the icon of a connector of the workspace. */
export function useDrawnKind(node: Node, kind: NodeType | undefined): NodeType | undefined {
  const reference = referenceOf(node);
  const found = useReferences(reference?.resource === 'connector' ? [reference] : []);
  return drawnKind(node, kind, reference && found[reference.id]?.icon);
}
