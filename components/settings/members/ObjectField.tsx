import { Select, TextInput } from '@mantine/core';
import { readableResourceName } from '@/components/client/permission-words';
import { isSearchableResource, useObjectOptions } from './useObjectOptions';

interface Props {
  type: string;
  label: string;
  required?: boolean;
  placeholder?: string;
  value: string;
  error?: string;
  onChange(id: string): void;
}

/** Selects an object: by name if it has one, otherwise by id. */
export function ObjectField({ type, label, required, placeholder, value, error, onChange }: Props) {
  const { options, search, setSearch } = useObjectOptions(type);
  if (!isSearchableResource(type)) {
    return (
      <TextInput
        label={`${label} id`}
        required={required}
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
      required={required}
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
