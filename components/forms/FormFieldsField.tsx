import type { FormField } from '@/contract/triggers/form-fields';
import type { FieldProps } from './model/field';
import { FieldRows } from './form-fields/FieldRows';
import { labelOf } from './model/schema';

/** The control of a config with `{fields}`: what an approval asks for. */
export function FormFieldsField({ name, schema, value, path, errors, onChange }: FieldProps) {
  const fields = (value as { fields?: FormField[] } | undefined)?.fields ?? [];
  const prefix = `${path}.fields`;
  const own = [...errors].filter(([field]) => field.startsWith(prefix) || field === path);
  return (
    <FieldRows
      label={labelOf(name, schema)}
      description={schema.description}
      fields={fields}
      path={prefix}
      errors={new Map(own.map(([field, message]) => [field === path ? '' : field.slice(prefix.length), message]))}
      onChange={(next) => onChange(next.length > 0 ? { fields: next } : undefined)}
    />
  );
}
