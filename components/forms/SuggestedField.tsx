import { use } from 'react';
import type { FieldControlProps } from './model/field-props';
import { ReferenceOptionsContext } from './model/reference-options';
import { schemaLabel } from './model/field-schema';
import { ExpressionTextField } from './ExpressionTextField';

/**
 * A text field with suggestions: those of its kind, or those for which the schema has labels. Any other text is
 * accepted too.
 */
export function SuggestedField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const known = use(ReferenceOptionsContext)[schema['x-editor'] ?? ''];
  const suggestions =
    known ?? Object.entries(schema['x-labels'] ?? {}).map(([text, label]) => ({ value: text, label }));
  const [example] = schema.examples ?? [];
  return (
    <ExpressionTextField
      label={schemaLabel(name, schema)}
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
