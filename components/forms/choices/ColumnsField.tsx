import { Text } from '@mantine/core';
import { useState } from 'react';
import type { FieldControlProps } from '../model/field-props';
import { isRowObject } from './model/match-columns';
import { hasExpressionBraces, schemaLabel } from '../model/field-schema';
import { JsonField } from '../JsonField';
import { KeyValueField } from '../KeyValueField';
import { ModesField } from '../rules/ModesField';
import { NotShowableNote } from '../rules/NotShowableNote';
import { ChoiceFailure } from './ChoicePicker';
import { ColumnValues } from './ColumnValues';
import { RowListField } from './RowListField';
import { useFieldChoices } from './useFieldChoices';

type ColumnsMode = 'Columns' | 'Several rows' | 'Expression';

const EMPTY_COLUMN_ERRORS: ReadonlyMap<string, string> = new Map();

const matchesWhen = (when: Record<string, unknown[]> | undefined, siblings: Readonly<Record<string, unknown>> = {}) =>
  !when || Object.entries(when).every(([field, values]) => values.includes(siblings[field]));

/**
 * An object with a value for each column that a source lists: one field for each column, or one expression for the
 * whole object. The field that can be filled in instead takes a list of such objects.
 */
export function ColumnsField(props: FieldControlProps) {
  const { name, schema, value, isRequired, path, errors, siblings, alternative, onChange } = props;
  const [chosen, setChosen] = useState<ColumnsMode>();
  const source = schema['x-columns'];
  const list = alternative && matchesWhen(alternative.schema['x-when'], siblings) ? alternative : undefined;
  const isPlain = value === undefined || isRowObject(value);
  const stored = list && list.value !== undefined ? 'Several rows' : isPlain ? 'Columns' : 'Expression';
  const mode = chosen === undefined || (chosen === 'Several rows' && !list) ? stored : chosen;
  const label = schemaLabel(name, schema);
  if (!source) return null;
  return (
    <ModesField<ColumnsMode>
      label={label}
      description={mode === 'Expression' ? `One expression for the whole ${label.toLowerCase()}.` : schema.description}
      error={mode === 'Several rows' ? errors.get(list?.path ?? '') : errors.get(path)}
      isRequired={isRequired}
      modes={['Columns', ...(list ? (['Several rows'] as const) : []), 'Expression']}
      mode={mode}
      onMode={setChosen}
    >
      {mode === 'Several rows' && list ? (
        <RowListField list={list} errors={errors} />
      ) : mode === 'Expression' ? (
        <JsonField {...props} errors={EMPTY_COLUMN_ERRORS} isLabelHidden />
      ) : isPlain ? (
        <ListedColumns {...props} source={source} values={value ?? {}} />
      ) : (
        <NotShowableNote
          source="value"
          what="columns"
          reason={
            hasExpressionBraces(value)
              ? 'One expression gives all of them.'
              : 'It is no object with a field for each column.'
          }
          onReset={() => onChange(undefined)}
        />
      )}
    </ModesField>
  );
}

type ListedColumnsProps = FieldControlProps & {
  source: NonNullable<FieldControlProps['schema']['x-columns']>;
  values: Record<string, unknown>;
};

/** One field for each column that the source lists, or why there are none. */
export function ListedColumns({ source, values, ...field }: ListedColumnsProps) {
  const listed = useFieldChoices(source, field.siblings);
  const labelOf = (name: string) => schemaLabel(name, field.siblingSchemas?.[name] ?? {});
  switch (listed.state) {
    case 'signed-out':
      return (
        <Text size="sm" c="dimmed">
          Choose a credential first: the columns then appear here.
        </Text>
      );
    case 'waiting':
      return (
        <Text size="sm" c="dimmed">
          Pick {labelOf(listed.field).toLowerCase()} first: its columns then appear here.
        </Text>
      );
    case 'unknown':
      return (
        <>
          <Text size="sm" c="dimmed">
            {listed.field
              ? `An expression gives ${labelOf(listed.field).toLowerCase()}, so its columns are known in a run only. Type their names.`
              : 'The columns can’t be listed here. Type their names.'}
          </Text>
          <KeyValueField
            {...field}
            schema={{ title: `${schemaLabel(field.name, field.schema)} by name`, description: '' }}
          />
        </>
      );
    case 'loading':
      return (
        <Text size="sm" c="dimmed" role="status">
          Reading the columns …
        </Text>
      );
    case 'failed':
      return <ChoiceFailure failure={listed} />;
    case 'listed':
      return (
        <ColumnValues
          columns={listed.choices}
          onRefresh={listed.onRefresh}
          isWhole={source.isPartial !== true && matchesWhen(source.isWholeWhen, field.siblings)}
          values={values}
          path={field.path}
          errors={field.errors}
          onChange={field.onChange}
        />
      );
  }
}
