import { Group, Input, Paper, Stack } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from './RowButtons';
import { use } from 'react';
import { ChoiceTargetContext, type ChoiceTarget } from './choices/choice-target';
import { pickedDescription } from './choices/model/picked-description';
import type { FieldControlProps } from './model/field-props';
import { SchemaFields } from './SchemaFields';
import { useNestedField } from './model/nested-field';
import { fieldControlKind, schemaLabel, type FieldSchema } from './model/field-schema';

const withoutLabels = ({ labels: _, onLabel: __, ...asked }: ChoiceTarget): ChoiceTarget => asked;

/** A list of values: one line per text, one small form per object. */
export function ListField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, siblings, siblingSchemas, onChange } = props;
  const Field = useNestedField();
  const target = use(ChoiceTargetContext);
  // Entries change their places, so what they were called is not kept by their paths.
  const entryTarget = target && withoutLabels(target);
  const stored: unknown[] = Array.isArray(value) ? value : [];
  // Where rows are what the form is for, the first one is there to be filled in.
  const items = stored.length === 0 && schema['x-editor'] === 'rows' ? [{}] : stored;
  const choices = schema['x-choices'];
  const item: FieldSchema = choices ? { ...schema.items, 'x-choices': choices } : (schema.items ?? {});
  const isGroup = fieldControlKind(item) === 'group';
  const change = (next: unknown[]) => onChange(next.length ? next : undefined);
  const edit = (index: number, next: unknown) => change(items.map((old, at) => (at === index ? (next ?? '') : old)));
  return (
    <Input.Wrapper
      label={schemaLabel(name, schema)}
      description={choices ? pickedDescription(schema.description) : schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      labelElement="div"
    >
      <Stack gap={6} mt={6} mb={errors.has(path) ? 6 : 0}>
        {items.map((entry, index) => {
          const at = `${path}[${index}]`;
          return (
            <Group key={index} gap={6} wrap="nowrap" align={isGroup ? 'flex-start' : 'flex-end'}>
              {isGroup ? (
                <Paper withBorder p="sm" flex={1}>
                  <SchemaFields
                    schema={item}
                    value={(entry ?? {}) as Record<string, unknown>}
                    errors={errors}
                    path={at}
                    onChange={(next) => edit(index, next)}
                  />
                </Paper>
              ) : (
                <div style={{ flex: 1 }}>
                  <ChoiceTargetContext value={entryTarget}>
                    <Field
                      name={`${index + 1}`}
                      schema={item}
                      value={entry}
                      isRequired={false}
                      path={at}
                      errors={errors}
                      siblings={siblings}
                      siblingSchemas={siblingSchemas}
                      onChange={(next) => edit(index, next)}
                    />
                  </ChoiceTargetContext>
                </div>
              )}
              <RemoveRowButton
                mb={isGroup ? 0 : 4}
                row={`entry ${index + 1}`}
                onClick={() => change(items.filter((_, other) => other !== index))}
              />
            </Group>
          );
        })}
        <AddRowButton onClick={() => change([...stored, isGroup ? {} : ''])} />
      </Stack>
    </Input.Wrapper>
  );
}
