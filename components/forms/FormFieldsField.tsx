import type { FormField } from '@/contract/triggers/form-fields';
import type { FieldControlProps } from './model/field-props';
import { FormFieldRows } from './form-fields/FormFieldRows';
import { schemaLabel } from './model/field-schema';

/** The control of a config with `{fields}`: what an approval or a page asks for. */
export function FormFieldsField({ name, schema, value, path, errors, onChange }: FieldControlProps) {
  const fields = (value as { fields?: FormField[] } | undefined)?.fields ?? [];
  const prefix = `${path}.fields`;
  const own = [...errors].filter(([field]) => field.startsWith(prefix) || field === path);
  return (
    <FormFieldRows
      label={schemaLabel(name, schema)}
      description={schema.description}
      fields={fields}
      path={prefix}
      takesFiles={schema['x-takes-files'] === true}
      errors={new Map(own.map(([field, message]) => [field === path ? '' : field.slice(prefix.length), message]))}
      onChange={(next) => onChange(next.length > 0 ? { fields: next } : undefined)}
    />
  );
}
