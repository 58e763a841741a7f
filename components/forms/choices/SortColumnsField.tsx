import { Select, Stack, Text } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from '../RowButtons';
import { useState } from 'react';
import { ExpressionTextField } from '../ExpressionTextField';
import type { FieldControlProps } from '../model/field-props';
import { hasExpressionBraces, schemaLabel, type ChoiceSource } from '../model/field-schema';
import { TwoModesField } from '../rules/TwoModesField';
import { ChoiceFailure } from './ChoicePicker';
import classes from './Choices.module.css';
import { parseSortColumns, printSortColumns, type SortColumn } from './model/sort-columns';
import { useFieldChoices } from './useFieldChoices';

/** Columns to sort by, picked from those that a source lists. */
export function SortColumnsField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const [chosen, setChosen] = useState<boolean>();
  const isExpression = chosen ?? hasExpressionBraces(value);
  const source = schema['x-choices'];
  if (!source) return null;
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      description={isExpression ? schema.description : undefined}
      error={errors.get(path)}
      isRequired={isRequired}
      plain="Columns"
      isExpression={isExpression}
      onWay={setChosen}
    >
      {isExpression || hasExpressionBraces(value) ? (
        <ExpressionTextField
          label={schemaLabel(name, schema)}
          isLabelHidden
          value={typeof value === 'string' ? value : ''}
          onChange={(text) => onChange(text || undefined)}
        />
      ) : (
        <SortColumnRows {...props} source={source} />
      )}
    </TwoModesField>
  );
}

const MAX_SORT_COLUMNS = 4;
const DIRECTIONS = [
  { value: 'up', label: 'Smallest first' },
  { value: 'down', label: 'Largest first' },
];

function SortColumnRows({ source, value, siblings, onChange }: FieldControlProps & { source: ChoiceSource }) {
  const listed = useFieldChoices(source, siblings);
  const sorted = parseSortColumns(typeof value === 'string' ? value : '');
  const columns = listed.state === 'listed' ? listed.choices : [];
  const change = (next: readonly SortColumn[]) => onChange(printSortColumns(next));
  const put = (index: number, part: Partial<SortColumn>) =>
    change(sorted.map((one, at) => (at === index ? { ...one, ...part } : one)));
  const free = columns.filter(({ value: name }) => sorted.every(({ column }) => column !== name));
  const [first] = free;
  if (listed.state === 'failed') return <ChoiceFailure failure={listed} />;
  return (
    <Stack gap={6}>
      {sorted.map(({ column, isDescending }, index) => {
        const isKnown = columns.some(({ value: name }) => name === column);
        const options = [...columns.filter((one) => one.value === column), ...free];
        return (
          <div key={index} className={classes.sort} role="group" aria-label={`Sort ${index + 1}`}>
            <Select
              aria-label={`Column ${index + 1}`}
              data={[
                ...options.map((one) => ({ value: String(one.value), label: one.label })),
                ...(isKnown ? [] : [{ value: column, label: column }]),
              ]}
              value={column}
              searchable
              allowDeselect={false}
              error={!isKnown && listed.state === 'listed' && 'This is no column to sort by any more.'}
              onChange={(next) => next !== null && put(index, { column: next })}
            />
            <Select
              aria-label={`Direction ${index + 1}`}
              data={DIRECTIONS}
              value={isDescending ? 'down' : 'up'}
              allowDeselect={false}
              onChange={(next) => put(index, { isDescending: next === 'down' })}
            />
            <RemoveRowButton
              mt={4}
              row={`sort ${index + 1}`}
              onClick={() => change(sorted.filter((_, at) => at !== index))}
            />
          </div>
        );
      })}
      {sorted.length === 0 && (
        <Text size="sm" c="dimmed">
          {listed.state === 'waiting' ? 'Pick a table first.' : 'Newest first'}
        </Text>
      )}
      {first && sorted.length < MAX_SORT_COLUMNS && (
        <AddRowButton
          label="Sort by a column"
          onClick={() => change([...sorted, { column: String(first.value), isDescending: false }])}
        />
      )}
    </Stack>
  );
}
