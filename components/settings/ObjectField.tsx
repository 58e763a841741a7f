import { Select, TextInput } from '@mantine/core';
import { wordsOf } from './role-matrix';
import { isNamed, useObjects } from './useObjects';

interface Props {
  type: string;
  label: string;
  placeholder?: string;
  value: string;
  error?: string;
  onChange(id: string): void;
}

/** One object: by name where it has one, else by id. */
export function ObjectField({ type, label, placeholder, value, error, onChange }: Props) {
  const { options, search, setSearch } = useObjects(type);
  if (!isNamed(type)) {
    return (
      <TextInput
        label={`${label}’s id`}
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
      placeholder={placeholder ?? `Find a ${wordsOf(type)}`}
      nothingFoundMessage="None has this name"
      data={options}
      value={value || null}
      searchValue={search}
      onSearchChange={setSearch}
      error={error}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
