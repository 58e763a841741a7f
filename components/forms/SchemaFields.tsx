import { Stack } from '@mantine/core';
import type { AlternativeField } from './model/field-props';
import { useNestedField } from './model/nested-field';
import { visibleFields, type FieldSchema } from './model/field-schema';

export interface SchemaFieldsProps {
  schema: FieldSchema;
  value: Record<string, unknown>;
  /** Messages by the path within the value: `url`, `headers`, `cases[0].port`. */
  errors: ReadonlyMap<string, string>;
  onChange(value: Record<string, unknown>, field: string): void;
  path?: string;
}

/** The controls for the properties of an object. An empty field is removed from the value. */
export function SchemaFields({ schema, value, errors, onChange, path = '' }: SchemaFieldsProps) {
  const Field = useNestedField();
  const properties = schema.properties ?? {};
  const alternatives = Object.values(properties).flatMap((field) => field['x-alternative'] ?? []);
  /** `instead`: the field that excludes this one. */
  const change = (name: string, next: unknown, instead: string | undefined) => {
    const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name && other !== instead));
    onChange(next === undefined ? others : { ...others, [name]: next }, name);
  };
  const pathOf = (name: string) => (path ? `${path}.${name}` : name);
  const alternativeOf = (name: string, field: FieldSchema): AlternativeField | undefined => {
    const other = field['x-alternative'];
    const otherSchema = other === undefined ? undefined : properties[other];
    return other === undefined || !otherSchema
      ? undefined
      : {
          name: other,
          schema: otherSchema,
          value: value[other],
          path: pathOf(other),
          onChange: (next) => change(other, next, name),
        };
  };
  return (
    <Stack gap="md">
      {visibleFields(schema, value).map(([name, field]) =>
        alternatives.includes(name) ? null : (
          <Field
            key={name}
            name={name}
            schema={field}
            value={value[name]}
            isRequired={schema.required?.includes(name) ?? false}
            path={pathOf(name)}
            errors={errors}
            siblings={value}
            siblingSchemas={properties}
            alternative={alternativeOf(name, field)}
            onChange={(next) => change(name, next, field['x-alternative'])}
          />
        ),
      )}
    </Stack>
  );
}
