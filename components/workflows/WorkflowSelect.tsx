import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../client/trpc';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'onSearchChange' | 'filter'> & {
  value: string | null;
  onChange(id: string | null): void;
};

const SHOWN = '20';

/** One workflow of however many there are: the service does the searching. One that is gone is still shown. */
export function WorkflowSelect({ value, onChange, ...rest }: Props) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const chosen = useQuery(
    trpc.workflows.get.queryOptions({ params: { id: value ?? '' } }, { enabled: value !== null, retry: false }),
  );
  const own = value === null ? undefined : { value, label: chosen.data?.name ?? value };
  // The chosen one's name stands in the field: that is no search.
  const search = own?.label === wanted ? undefined : wanted || undefined;
  const found = useQuery(
    trpc.workflows.list.queryOptions({ query: { search, limit: SHOWN } }, { placeholderData: keepPreviousData }),
  );
  const others = found.data?.data.filter(({ id }) => id !== value).map(({ id, name }) => ({ value: id, label: name }));
  const hasMore = (found.data?.total ?? 0) > Number(SHOWN);
  return (
    <Select
      {...rest}
      data={[...(own ? [own] : []), ...(others ?? [])]}
      value={value}
      searchable
      onSearchChange={setTyped}
      // What came back fits already.
      filter={({ options }) => options}
      nothingFoundMessage={found.isPending ? 'One moment …' : 'No workflow is called that'}
      description={
        rest.description ?? (hasMore && typed !== '' ? 'There are more: type on to narrow them down.' : undefined)
      }
      onChange={onChange}
    />
  );
}
