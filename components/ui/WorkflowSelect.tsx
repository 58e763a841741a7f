import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/components/client/trpc';

interface Props {
  label: string;
  description?: string;
  placeholder?: string;
  value: string | null;
  error?: string;
  /** A workflow that can't be chosen. */
  except?: string;
  onChange(id: string | null): void;
}

/** Chooses a workflow of the workspace by its name. */
export function WorkflowSelect({ label, description, placeholder, value, error, except, onChange }: Props) {
  const trpc = useTRPC();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 200);
  const found = useQuery(
    trpc.workflows.list.queryOptions(
      { query: { search: wanted || undefined, limit: '50' } },
      { placeholderData: keepPreviousData },
    ),
  );
  const chosen = useQuery(
    trpc.workflows.get.queryOptions({ params: { id: value ?? '' } }, { enabled: value !== null, retry: false }),
  );
  const names = new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]));
  if (value !== null) names.set(value, names.get(value) ?? chosen.data?.name ?? value);
  if (except !== undefined) names.delete(except);
  return (
    <Select
      label={label}
      description={description}
      placeholder={placeholder}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      nothingFoundMessage="No workflow found"
      // The service has searched: what it found is shown as it is.
      filter={({ options }) => options}
      data={[...names].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      error={error}
      onSearchChange={(next) => setSearch(next === names.get(value ?? '') ? '' : next)}
      onChange={onChange}
    />
  );
}
