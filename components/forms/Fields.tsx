import { Stack } from '@mantine/core';
import { useNestedField } from './nested';
import { isHidden, schemaBeside, type Schema } from './schema';

export interface FieldsProps {
  schema: Schema;
  value: Record<string, unknown>;
  /** By path within the value: `url`, `headers`, `cases[0].port`. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>, field: string): void;
  path?: string;
}

/** The controls for the properties of an object. An empty field is removed from the value. */
export function Fields({ schema, value, errors, onChange, path = '' }: FieldsProps) {
  const Field = useNestedField();
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...value, [name]: next }, name);
  };
  return (
    <Stack gap="md">
      {fieldsOf(schema, value).map(([name, field]) => (
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

const fieldsOf = (schema: Schema, value: Record<string, unknown>) =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, schemaBeside(field, value[name], value)] as const)
    .filter(([, field]) => !isHidden(field));
