import { Stack } from '@mantine/core';
import { useNestedField } from './nested';
import type { Schema } from './schema';

export interface FieldsProps {
  schema: Schema;
  value: Record<string, unknown>;
  /** By path within the value: `url`, `headers`, `cases[0].port`. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>, field: string): void;
  path?: string;
}

/** The fields that matter for the other values. One with an own value is shown always, so that nothing is hidden that has an effect. */
const shownFields = ({ properties = {} }: Schema, value: FieldsProps['value']) =>
  Object.entries(properties).filter(([name, { 'x-when': when }]) => {
    if (!when || value[name] !== undefined) return true;
    return Object.entries(when).every(([other, values]) => values.includes(value[other]));
  });

/** The controls for the properties of an object. An empty field is removed from the value. */
export function Fields({ schema, value, errors, onChange, path = '' }: FieldsProps) {
  const Field = useNestedField();
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...value, [name]: next }, name);
  };
  return (
    <Stack gap="md">
      {shownFields(schema, value).map(([name, field]) => (
        <Field
          key={name}
          name={name}
          schema={field}
          value={value[name]}
          isRequired={schema.required?.includes(name) ?? false}
          path={path ? `${path}.${name}` : name}
          errors={errors}
          onChange={(next) => change(name, next)}
        />
      ))}
    </Stack>
  );
}
