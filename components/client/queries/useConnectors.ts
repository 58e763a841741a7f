import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Connector } from '@/contract/connectors/connector';
import type { DirectoryService } from '@/contract/connectors/directory';
import { useTRPC } from '../trpc';

/** The largest page that the service gives. */
const PAGE = 100;
const FRESH = { staleTime: 60_000 };

/** Stable, so that its result is computed anew only for other data. */
const connectorsIn = (pages: { data: { data: Connector[] } | undefined }[]): Connector[] =>
  pages.flatMap(({ data }) => data?.data ?? []);

/** Every connector of this installation and of the workspace. Those of the workspace are without the parameters of their operations. */
export function useConnectors(enabled = true) {
  const trpc = useTRPC();
  const page = (offset: number) =>
    trpc.connectors.list.queryOptions({ query: { limit: PAGE, offset } }, { ...FRESH, enabled });
  const first = useQuery(page(0));
  const more = Math.max(0, Math.ceil((first.data?.total ?? 0) / PAGE) - 1);
  const rest = useQueries({
    queries: Array.from({ length: more }, (_, index) => page((index + 1) * PAGE)),
    combine: connectorsIn,
  });
  const data = useMemo(() => first.data && { ...first.data, data: [...first.data.data, ...rest] }, [first.data, rest]);
  return { data, error: first.error, refetch: first.refetch };
}

const servicesIn = (pages: { data: { data: DirectoryService[] } | undefined }[]): DirectoryService[] =>
  pages.flatMap(({ data }) => data?.data ?? []);

/** The directory of services, by name. */
export function useDirectory(enabled = true) {
  const trpc = useTRPC();
  const page = (offset: number) =>
    trpc.connectors.directory.queryOptions({ query: { limit: PAGE, offset } }, { ...FRESH, enabled });
  const first = useQuery(page(0));
  const more = Math.max(0, Math.ceil((first.data?.total ?? 0) / PAGE) - 1);
  const rest = useQueries({
    queries: Array.from({ length: more }, (_, index) => page((index + 1) * PAGE)),
    combine: servicesIn,
  });
  const data = useMemo(() => first.data && { ...first.data, data: [...first.data.data, ...rest] }, [first.data, rest]);
  return { data, error: first.error, refetch: first.refetch };
}

const detailsIn = (results: { data: Connector | undefined }[]): Connector[] =>
  results.flatMap(({ data }) => data ?? []);

/** The connectors; those of the workspace with these ids have parameters and examples of their operations, once they are loaded. */
export function useDetailed(connectors: readonly Connector[], ids: readonly string[]): Connector[] {
  const trpc = useTRPC();
  const wanted = connectors.filter(({ id, isCustom }) => isCustom && ids.includes(id));
  const details = useQueries({
    queries: wanted.map(({ id }) => trpc.connectors.get.queryOptions({ params: { id } }, FRESH)),
    combine: detailsIn,
  });
  return useMemo(() => connectors.map((one) => details.find(({ id }) => id === one.id) ?? one), [connectors, details]);
}
