import { ActionIcon, Checkbox, Group, Paper, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { AddRowButton } from '../RowButtons';
import { useState } from 'react';
import { JsonField } from '../JsonField';
import type { FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import { TwoModesField } from '../rules/TwoModesField';
import {
  NEW_SCHEMA_PROPERTY,
  PROPERTY_TYPE_OPTIONS,
  parseSchemaProperties,
  buildObjectSchema,
  type SchemaProperty,
  type SchemaPropertyType,
} from './schema-properties';

/** The schema of an object: its properties as rows, or JSON. */
export function ObjectSchemaField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const [draft, setDraft] = useState<SchemaProperty[]>([]);
  const stored = parseSchemaProperties(value);
  const [isJson, setJson] = useState(stored === null);
  const isCurrent = JSON.stringify(buildObjectSchema(draft)) === JSON.stringify(value);
  const rows = isCurrent ? draft : (stored ?? []);
  const change = (next: SchemaProperty[]) => {
    setDraft(next);
    onChange(buildObjectSchema(next));
  };
  const own = [...errors]
    .filter(([field]) => field === path || field.startsWith(`${path}.`))
    .map(([, message]) => message);
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      description={schema.description}
      error={own[0]}
      isRequired={isRequired}
      plain="Fields"
      written="JSON"
      isExpression={isJson || stored === null}
      onWay={(way) => setJson(way)}
    >
      {isJson || stored === null ? (
        <JsonField {...props} errors={EMPTY_PROPERTY_ERRORS} isLabelHidden />
      ) : (
        <Stack gap="xs">
          {rows.map((row, index) => (
            <SchemaPropertyRow
              key={index}
              property={row}
              index={index}
              onChange={(next) => change(rows.map((old, at) => (at === index ? next : old)))}
              onRemove={() => change(rows.filter((_, at) => at !== index))}
            />
          ))}
          <AddRowButton label="Add field" onClick={() => change([...rows, NEW_SCHEMA_PROPERTY])} />
        </Stack>
      )}
    </TwoModesField>
  );
}

const EMPTY_PROPERTY_ERRORS: ReadonlyMap<string, string> = new Map();

interface PropertyRowProps {
  property: SchemaProperty;
  index: number;
  onChange(property: SchemaProperty): void;
  onRemove(): void;
}

function SchemaPropertyRow({ property, index, onChange, onRemove }: PropertyRowProps) {
  const title = property.name || `field ${index + 1}`;
  const set = (part: Partial<SchemaProperty>) => onChange({ ...property, ...part });
  return (
    <Paper withBorder p="xs" component="fieldset" aria-label={`Field ${index + 1}: ${title}`} m={0} miw={0}>
      <Stack gap={6}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} verticalSpacing={6}>
          <TextInput
            label="Name"
            value={property.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label="Type"
            data={PROPERTY_TYPE_OPTIONS}
            value={property.type}
            allowDeselect={false}
            onChange={(type) => type && set({ type: type as SchemaPropertyType })}
          />
        </SimpleGrid>
        {property.type === 'choice' && (
          <TagsInput label="Values" value={property.choices} onChange={(choices) => set({ choices })} />
        )}
        <TextInput
          label="Description"
          placeholder="What the model should write here"
          value={property.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <Group justify="space-between">
          <Checkbox
            label="Required"
            checked={property.isRequired}
            onChange={(event) => set({ isRequired: event.currentTarget.checked })}
          />
          <ActionIcon color="madder" aria-label={`Remove ${title}`} onClick={onRemove}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      </Stack>
    </Paper>
  );
}
