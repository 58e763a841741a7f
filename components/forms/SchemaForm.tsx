import { Stack } from '@mantine/core';
import { Field } from './Field';
import type { Schema } from './schema';

interface Props {
  schema: Schema;
  value: Record<string, unknown>;
  /** By path within the value: `url`, `headers`, `cases[0].port`. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>, field: string): void;
  path?: string;
}

/** A form for an object, made from its JSON Schema. Fields left empty are left out of the value. */
export function SchemaForm({ schema, value, errors, onChange, path = '' }: Props) {
  const change = (name: string, next: unknown) => {
    const { [name]: _, ...others } = value;
    onChange(next === undefined ? others : { ...value, [name]: next }, name);
  };
  return (
    <Stack gap="md">
      {Object.entries(schema.properties ?? {}).map(([name, field]) => (
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
