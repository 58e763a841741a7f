import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/components/client/trpc';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & {
  value: string | null;
  /** A choice above the tables. */
  first?: { value: string; label: string };
  onChange(id: string | null): void;
};

const LISTED_TABLES_LIMIT = '100';

/** Selects a table. One that was deleted, or that is not among the newest, is shown by its id. */
export function TableReferenceSelect({ value, first, ...rest }: Props) {
  const trpc = useTRPC();
  const found = useQuery(trpc.tables.list.queryOptions({ query: { limit: LISTED_TABLES_LIMIT } }));
  const known = (found.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const tables = first ? [first, ...known] : known;
  const isListed = value === null || tables.some((table) => table.value === value);
  return (
    <Select
      {...rest}
      data={isListed ? tables : [...tables, { value, label: value }]}
      value={value}
      searchable
      nothingFoundMessage={found.isPending ? 'Loading …' : 'No table found'}
    />
  );
}
