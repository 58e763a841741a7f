import { use } from 'react';
import type { FieldProps } from './model/field';
import { ReferencesContext } from './model/references';
import { labelOf } from './model/schema';
import { TextField } from './TextField';

/** A text with suggestions of its own kind, or those that its schema has words for; any other text is fine, too. */
export function SuggestedField({ name, schema, value, isRequired, path, errors, onChange }: FieldProps) {
  const known = use(ReferencesContext)[schema['x-editor'] ?? ''];
  const suggestions =
    known ?? Object.entries(schema['x-labels'] ?? {}).map(([text, label]) => ({ value: text, label }));
  const [example] = schema.examples ?? [];
  return (
    <TextField
      label={labelOf(name, schema)}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      value={typeof value === 'string' ? value : ''}
      placeholder={typeof example === 'string' ? example : undefined}
      suggestions={suggestions}
      onChange={(text) => onChange(text || undefined)}
    />
  );
}
