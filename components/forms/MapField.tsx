import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { FieldProps } from './model/field';
import { Resolved } from './Resolved';
import { isExpression, labelOf } from './model/schema';
import { TextField } from './TextField';

/** Untouched values keep their type. */
type Row = [key: string, value: unknown];

const rowsOf = (value: unknown): Row[] => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
const mapOf = (rows: Row[]) => Object.fromEntries(rows.filter(([key]) => key !== ''));

/** Pairs of names and texts, such as headers. A row without a name is not part of the value. */
export function MapField({ name, schema, value, isRequired, path, errors, onChange }: FieldProps) {
  const [draft, setDraft] = useState<Row[]>([]);
  const isCurrent = JSON.stringify(mapOf(draft)) === JSON.stringify(value ?? {});
  const rows = isCurrent ? draft : rowsOf(value);
  const label = labelOf(name, schema);

  const change = (next: Row[]) => {
    setDraft(next);
    const map = mapOf(next);
    onChange(Object.keys(map).length ? map : undefined);
  };
  const edit = (index: number, row: Row) => change(rows.map((old, at) => (at === index ? row : old)));
  return (
    <Input.Wrapper
      label={label}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      labelElement="div"
    >
      <Stack gap={6} mt={6} mb={errors.has(path) ? 6 : 0}>
        {rows.map(([key, text], index) => (
          <Group key={index} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              flex={2}
              aria-label={`${label}: name ${index + 1}`}
              placeholder="Name"
              value={key}
              onChange={(event) => edit(index, [event.currentTarget.value, text])}
            />
            <div style={{ flex: 3, minWidth: 0 }} data-field={`${path}.${key}`}>
              <TextField
                label={`${label}: value ${index + 1}`}
                isLabelHidden
                placeholder="Value"
                value={String(text)}
                error={errors.get(`${path}.${key}`)}
                onChange={(next) => edit(index, [key, next])}
              />
              {isExpression(text) && <Resolved value={text} isBare={false} isFaulty={errors.has(`${path}.${key}`)} />}
            </div>
            <ActionIcon
              mt={4}
              aria-label={`Remove ${key || 'row'}`}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change([...rows, ['', '']])}
          w="fit-content"
        >
          Add
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
