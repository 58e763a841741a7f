import { Fieldset, Stack, Switch, Text } from '@mantine/core';
import type { FieldControlProps } from './model/field-props';
import { SchemaFields } from './SchemaFields';
import { schemaLabel } from './model/field-schema';

/** A group of fields that may be absent as a whole: a switch adds it with its first options, and removes it. */
export function OptionalGroupField({ name, schema, value, path, errors, onChange }: FieldControlProps) {
  const label = schemaLabel(name, schema);
  const isOn = typeof value === 'object' && value !== null;
  const firstOptions = Object.entries(schema.properties ?? {}).flatMap(([field, { enum: options = [] }]) =>
    schema.required?.includes(field) && options.length > 0 ? [[field, options[0]]] : [],
  );
  return (
    <Stack gap="sm">
      <Switch
        label={label}
        description={schema.description}
        checked={isOn}
        onChange={(event) => onChange(event.currentTarget.checked ? Object.fromEntries(firstOptions) : undefined)}
      />
      {isOn && (
        <Fieldset legend={label}>
          <SchemaFields
            schema={schema}
            value={value as Record<string, unknown>}
            errors={errors}
            path={path}
            onChange={onChange}
          />
        </Fieldset>
      )}
      {errors.has(path) && (
        <Text size="xs" c="var(--weft-failed)" role="alert">
          {errors.get(path)}
        </Text>
      )}
    </Stack>
  );
}
