import { Select } from '@mantine/core';
import { use } from 'react';
import type { FieldProps } from './model/field';
import { ReferencesContext } from './model/references';
import { TableSelect } from './TableSelect';
import { WorkflowSelect } from './WorkflowSelect';
import { labelOf } from './model/schema';

/** Controls that read their options from the server, by `x-editor`. */
const SEARCHED: Partial<Record<string, typeof WorkflowSelect>> = { workflow: WorkflowSelect, table: TableSelect };

/** Selects an object of the workspace. A deleted one is still shown by its id. */
export function ReferenceField({ name, schema, value, isRequired, path, errors, onChange }: FieldProps) {
  const known = use(ReferencesContext)[schema['x-editor'] ?? ''] ?? [];
  const current = typeof value === 'string' && value ? value : null;
  const Searched = SEARCHED[schema['x-editor'] ?? ''];
  if (Searched)
    return (
      <Searched
        label={labelOf(name, schema)}
        description={schema.description}
        error={errors.get(path)}
        withAsterisk={isRequired}
        clearable={!isRequired}
        value={current}
        onChange={(picked) => onChange(picked ?? undefined)}
      />
    );
  const isKnown = current === null || known.some((option) => option.value === current);
  return (
    <Select
      label={labelOf(name, schema)}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      data={isKnown ? known : [...known, { value: current, label: current }]}
      value={current}
      searchable
      clearable={!isRequired}
      nothingFoundMessage="No options"
      onChange={(picked) => onChange(picked ?? undefined)}
    />
  );
}
