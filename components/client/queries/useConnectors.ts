import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ConnectorResponse } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { useTRPC } from '../trpc';

/** The largest page that the service gives. */
const CONNECTOR_PAGE_SIZE = 100;
const CONNECTOR_QUERY_OPTIONS = { staleTime: 60_000 };

/** A constant function, so that TanStack Query computes its result again only when the data has changed. */
const joinConnectorPages = (pages: { data: { data: ConnectorResponse[] } | undefined }[]): ConnectorResponse[] =>
  pages.flatMap(({ data }) => data?.data ?? []);

/**
 * Every connector of this installation and of the workspace. Those of the workspace are without the parameters of their
 * operations.
 */
export function useConnectors(enabled = true) {
  const trpc = useTRPC();
  const page = (offset: number) =>
    trpc.connectors.list.queryOptions(
      { query: { limit: CONNECTOR_PAGE_SIZE, offset } },
      { ...CONNECTOR_QUERY_OPTIONS, enabled },
    );
  const first = useQuery(page(0));
  const more = Math.max(0, Math.ceil((first.data?.total ?? 0) / CONNECTOR_PAGE_SIZE) - 1);
  const rest = useQueries({
    queries: Array.from({ length: more }, (_, index) => page((index + 1) * CONNECTOR_PAGE_SIZE)),
    combine: joinConnectorPages,
  });
  const data = useMemo(() => first.data && { ...first.data, data: [...first.data.data, ...rest] }, [first.data, rest]);
  return { data, error: first.error, refetch: first.refetch };
}

const joinServicePages = (pages: { data: { data: DirectoryService[] } | undefined }[]): DirectoryService[] =>
  pages.flatMap(({ data }) => data?.data ?? []);

/** The directory of services, by name. */
export function useServiceDirectory(enabled = true) {
  const trpc = useTRPC();
  const page = (offset: number) =>
    trpc.connectors.directory.queryOptions(
      { query: { limit: CONNECTOR_PAGE_SIZE, offset } },
      { ...CONNECTOR_QUERY_OPTIONS, enabled },
    );
  const first = useQuery(page(0));
  const more = Math.max(0, Math.ceil((first.data?.total ?? 0) / CONNECTOR_PAGE_SIZE) - 1);
  const rest = useQueries({
    queries: Array.from({ length: more }, (_, index) => page((index + 1) * CONNECTOR_PAGE_SIZE)),
    combine: joinServicePages,
  });
  const data = useMemo(() => first.data && { ...first.data, data: [...first.data.data, ...rest] }, [first.data, rest]);
  return { data, error: first.error, refetch: first.refetch };
}

const collectConnectors = (results: { data: ConnectorResponse | undefined }[]): ConnectorResponse[] =>
  results.flatMap(({ data }) => data ?? []);

/**
 * The connectors; those of the workspace with these ids have parameters and examples of their operations, once they are
 * loaded.
 */
export function useConnectorDetails(
  connectors: readonly ConnectorResponse[],
  ids: readonly string[],
): ConnectorResponse[] {
  const trpc = useTRPC();
  const wanted = connectors.filter(({ id, isCustom }) => isCustom && ids.includes(id));
  const details = useQueries({
    queries: wanted.map(({ id }) => trpc.connectors.get.queryOptions({ params: { id } }, CONNECTOR_QUERY_OPTIONS)),
    combine: collectConnectors,
  });
  return useMemo(() => connectors.map((one) => details.find(({ id }) => id === one.id) ?? one), [connectors, details]);
}
