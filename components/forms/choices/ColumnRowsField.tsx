import { Box, Group, Stack } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from '../RowButtons';
import { useState } from 'react';
import { JsonField } from '../JsonField';
import type { FieldControlProps } from '../model/field-props';
import { hasExpressionBraces, schemaLabel } from '../model/field-schema';
import { ModesField } from '../rules/ModesField';
import { NotShowableNote } from '../rules/NotShowableNote';
import { ListedColumns } from './ColumnsField';
import { isRowObject } from './model/match-columns';

type ColumnRowsMode = 'Rows' | 'Expression';

const EMPTY_ROW_ERRORS: ReadonlyMap<string, string> = new Map();

/** A list of rows: one small form with a field for each column that a source lists, or one expression for all rows. */
export function ColumnRowsField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const [chosen, setChosen] = useState<ColumnRowsMode>();
  const source = schema['x-columns'];
  const rows = value === undefined ? [] : Array.isArray(value) && value.every(isRowObject) ? value : undefined;
  const mode = chosen ?? (rows === undefined ? 'Expression' : 'Rows');
  if (!source) return null;
  const change = (next: Record<string, unknown>[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <ModesField<ColumnRowsMode>
      label={schemaLabel(name, schema)}
      description={mode === 'Expression' ? 'A list of objects with the names of columns.' : schema.description}
      error={errors.get(path)}
      isRequired={isRequired}
      modes={['Rows', 'Expression']}
      mode={mode}
      onMode={setChosen}
    >
      {mode === 'Expression' ? (
        <JsonField {...props} errors={EMPTY_ROW_ERRORS} isLabelHidden />
      ) : !rows ? (
        <NotShowableNote
          source="value"
          what="rows"
          reason={
            hasExpressionBraces(value)
              ? 'One expression gives all of them.'
              : 'It is no list of objects with a field for each column.'
          }
          onReset={() => onChange(undefined)}
        />
      ) : (
        <Stack gap={6}>
          {rows.map((row, index) => (
            <Group key={index} gap={6} wrap="nowrap" align="flex-start">
              <Box flex={1} miw={0} role="group" aria-label={`Row ${index + 1}`}>
                <ListedColumns
                  {...props}
                  path={`${path}[${index}]`}
                  source={source}
                  values={row}
                  onChange={(next) =>
                    change(rows.map((old, at) => (at === index ? ((next ?? {}) as Record<string, unknown>) : old)))
                  }
                />
              </Box>
              <RemoveRowButton
                row={`row ${index + 1}`}
                onClick={() => change(rows.filter((_, other) => other !== index))}
              />
            </Group>
          ))}
          <AddRowButton label="Add a row" onClick={() => change([...rows, {}])} />
        </Stack>
      )}
    </ModesField>
  );
}
