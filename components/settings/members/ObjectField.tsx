import { Select, TextInput } from '@mantine/core';
import { readableResourceName } from '../roles/role-matrix';
import { isSearchableResource, useObjectOptions } from './useObjectOptions';

interface Props {
  type: string;
  label: string;
  placeholder?: string;
  value: string;
  error?: string;
  onChange(id: string): void;
}

/** Selects an object: by name if it has one, otherwise by id. */
export function ObjectField({ type, label, placeholder, value, error, onChange }: Props) {
  const { options, search, setSearch } = useObjectOptions(type);
  if (!isSearchableResource(type)) {
    return (
      <TextInput
        label={`${label} id`}
        miw={160}
        flex={1}
        placeholder={placeholder}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
    );
  }
  return (
    <Select
      key={type}
      label={label}
      miw={160}
      flex={1}
      searchable
      clearable
      placeholder={placeholder ?? `Search ${readableResourceName(type)}s`}
      nothingFoundMessage="No results"
      data={options}
      value={value || null}
      searchValue={search}
      onSearchChange={setSearch}
      error={error}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
