import { Select } from '@mantine/core';
import { use } from 'react';
import type { FieldControlProps } from './model/field-props';
import { ReferenceOptionsContext } from './model/reference-options';
import { WorkflowReferenceSelect } from './WorkflowReferenceSelect';
import { schemaLabel } from './model/field-schema';

/** Selects an object of the workspace. A deleted one is still shown by its id. */
export function ReferenceField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const known = use(ReferenceOptionsContext)[schema['x-editor'] ?? ''] ?? [];
  const current = typeof value === 'string' && value ? value : null;
  if (schema['x-editor'] === 'workflow')
    return (
      <WorkflowReferenceSelect
        label={schemaLabel(name, schema)}
        description={schema.description}
        error={errors.get(path)}
        withAsterisk={isRequired}
        clearable={!isRequired}
        value={current}
        onChange={(picked) => onChange(picked ?? undefined)}
      />
    );
  // One start node is no choice.
  if (schema['x-editor'] === 'start-node' && known.length < 2 && current === null) return null;
  const isKnown = current === null || known.some((option) => option.value === current);
  return (
    <Select
      label={schemaLabel(name, schema)}
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
