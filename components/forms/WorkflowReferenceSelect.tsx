import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'searchable' | 'onSearchChange' | 'filter'> & {
  value: string | null;
  onChange(id: string | null): void;
};

const LISTED_WORKFLOWS_LIMIT = '20';

/** Selects a workflow with search on the server. A deleted one is still shown by its id. */
export function WorkflowReferenceSelect({ value, onChange, ...rest }: Props) {
  const trpc = useTRPC();
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const chosen = useQuery(
    trpc.workflows.get.queryOptions({ params: { id: value ?? '' } }, { enabled: value !== null, retry: false }),
  );
  const own = value === null ? undefined : { value, label: chosen.data?.name ?? value };
  // The field shows the name of the chosen workflow: that is no search.
  const search = own?.label === wanted ? undefined : wanted || undefined;
  const found = useQuery(
    trpc.workflows.list.queryOptions(
      { query: { search, limit: LISTED_WORKFLOWS_LIMIT } },
      { placeholderData: keepPreviousData },
    ),
  );
  const others = found.data?.data.filter(({ id }) => id !== value).map(({ id, name }) => ({ value: id, label: name }));
  const hasMore = (found.data?.total ?? 0) > Number(LISTED_WORKFLOWS_LIMIT);
  return (
    <Select
      {...rest}
      data={[...(own ? [own] : []), ...(others ?? [])]}
      value={value}
      searchable
      onSearchChange={setTyped}
      // The service filters.
      filter={({ options }) => options}
      nothingFoundMessage={found.isPending ? 'Loading …' : 'No workflow found'}
      description={
        rest.description ??
        (hasMore && typed !== '' ? 'More workflows match. Type more to narrow the search.' : undefined)
      }
      onChange={onChange}
    />
  );
}
