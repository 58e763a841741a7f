import { Group, Input, Stack, TextInput } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from './RowButtons';
import { useState } from 'react';
import type { FieldControlProps } from './model/field-props';
import { ExpressionPreview } from './ExpressionPreview';
import { hasExpressionBraces, schemaLabel } from './model/field-schema';
import { ExpressionTextField } from './ExpressionTextField';

/** Untouched values keep their type. */
type KeyValueRow = [key: string, value: unknown];

const keyValueRows = (value: unknown): KeyValueRow[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
const mapFromRows = (rows: KeyValueRow[]) => Object.fromEntries(rows.filter(([key]) => key !== ''));

/** Pairs of names and texts, such as headers. A row without a name is not part of the value. */
export function KeyValueField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const [draft, setDraft] = useState<KeyValueRow[]>([]);
  const isCurrent = JSON.stringify(mapFromRows(draft)) === JSON.stringify(value ?? {});
  const rows = isCurrent ? draft : keyValueRows(value);
  const label = schemaLabel(name, schema);

  const change = (next: KeyValueRow[]) => {
    setDraft(next);
    const map = mapFromRows(next);
    onChange(Object.keys(map).length ? map : undefined);
  };
  const edit = (index: number, row: KeyValueRow) => change(rows.map((old, at) => (at === index ? row : old)));
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
              <ExpressionTextField
                label={`${label}: value ${index + 1}`}
                isLabelHidden
                placeholder="Value"
                value={String(text)}
                error={errors.get(`${path}.${key}`)}
                onChange={(next) => edit(index, [key, next])}
              />
              {hasExpressionBraces(text) && (
                <ExpressionPreview value={text} isBare={false} isFaulty={errors.has(`${path}.${key}`)} />
              )}
            </div>
            <RemoveRowButton mt={4} row={key || 'row'} onClick={() => change(rows.filter((_, at) => at !== index))} />
          </Group>
        ))}
        <AddRowButton onClick={() => change([...rows, ['', '']])} />
      </Stack>
    </Input.Wrapper>
  );
}
