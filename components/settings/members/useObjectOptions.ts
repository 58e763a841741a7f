import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import type { AssignableResource } from '@/contract/access/role';
import { useTRPC } from '@/components/client/trpc';

/** Types of objects with a name. Others are selected by id. */
export type SearchableResource = Extract<AssignableResource, 'workflow' | 'credential' | 'table'>;
export const isSearchableResource = (type: string): type is SearchableResource =>
  ['workflow', 'credential', 'table'].includes(type);

/** Workflows, credentials or tables to choose from, with search by name. */
export function useObjectOptions(type: string) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const workflows = useQuery(
    trpc.workflows.list.queryOptions(
      { query: { limit: 50, search: wanted || undefined } },
      { enabled: type === 'workflow', placeholderData: (before) => before },
    ),
  );
  const credentials = useQuery(
    trpc.credentials.list.queryOptions({ query: { limit: 100 } }, { enabled: type === 'credential' }),
  );
  const tables = useQuery(trpc.tables.list.queryOptions({ query: { limit: 100 } }, { enabled: type === 'table' }));
  const lists = { workflow: workflows.data?.data, credential: credentials.data?.data, table: tables.data?.data };
  const found = (isSearchableResource(type) ? lists[type] : undefined) ?? [];
  return { options: found.map(({ id, name }) => ({ value: id, label: name })), search, setSearch };
}
