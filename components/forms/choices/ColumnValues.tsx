import { use } from 'react';
import { Anchor, Input, Text } from '@mantine/core';
import type { FieldChoice } from '@/contract/choices';
import type { FieldControlProps } from '../model/field-props';
import { useNestedField } from '../model/nested-field';
import classes from './Choices.module.css';
import { ChoiceTargetContext } from './choice-target';
import { FillColumns } from './FillColumns';
import { columnFieldSchema, columnValueProblem } from './model/column-values';

interface Props extends Pick<FieldControlProps, 'path' | 'errors'> {
  columns: readonly FieldChoice[];
  values: Record<string, unknown>;
  /** Required columns need a value. */
  isWhole: boolean;
  onRefresh(): void;
  onChange(values: Record<string, unknown> | undefined): void;
}

/** A value in a shape of the service, such as a text with its formats, where people mostly write a plain value. */
const isServiceShape = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One field for each column, in the order of the columns. A column without a value is left out. */
export function ColumnValues({ columns, values, isWhole, path, errors, onRefresh, onChange }: Props) {
  const Field = useNestedField();
  // The columns of our own tables take plain values only.
  const mayHaveShape = use(ChoiceTargetContext)?.connectorId !== undefined;
  const hasShape = (value: unknown) => mayHaveShape && isServiceShape(value);
  const names = new Set(columns.map(({ value }) => String(value)));
  const gone = Object.keys(values).filter((name) => !names.has(name));
  const replace = (next: Record<string, unknown>) => onChange(Object.keys(next).length > 0 ? next : undefined);
  const set = (name: string, value: unknown) => {
    const others = Object.entries(values).filter(([other]) => other !== name);
    replace(Object.fromEntries(value === undefined ? others : [...others, [name, value]]));
  };
  // An empty row is not begun: what it needs is marked, but not yet wrong.
  const isBegun = Object.keys(values).length > 0;
  const ownErrors = columns.flatMap(({ value: name, type = 'text', isRequired }): [string, string][] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isMissing = isWhole && isBegun && isRequired === true && (value === undefined || value === null);
    const shown = hasShape(value) ? 'json' : type;
    const problem = isMissing ? 'A new row needs a value here.' : columnValueProblem(shown, value);
    return problem === undefined ? [] : [[`${path}.${name}`, problem]];
  });
  const shownErrors = new Map([...ownErrors, ...errors]);
  if (columns.length === 0 && gone.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There are no columns.{' '}
        <Anchor component="button" type="button" size="sm" onClick={onRefresh}>
          Read them again
        </Anchor>
      </Text>
    );
  return (
    <div className={classes.columns}>
      <FillColumns
        columns={columns}
        values={values}
        onFill={(filled) => replace({ ...values, ...filled })}
        onRefresh={onRefresh}
      />
      {columns.map((column) => {
        const name = String(column.value);
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        return (
          <div key={name}>
            <Field
              name={name}
              schema={columnFieldSchema(hasShape(value) ? { value: name, label: column.label, type: 'json' } : column)}
              value={value === null ? undefined : value}
              isRequired={isWhole && column.isRequired === true}
              path={`${path}.${name}`}
              errors={shownErrors}
              onChange={(next) => set(name, next)}
            />
            {value === null && (
              <Text size="xs" c="dimmed" mt={4}>
                Writes no value.{' '}
                <Anchor component="button" type="button" size="xs" onClick={() => set(name, undefined)}>
                  Leave the column out
                </Anchor>
              </Text>
            )}
          </div>
        );
      })}
      {gone.map((name) => (
        <Input.Error key={name} size="sm" role="alert" data-field={`${path}.${name}`}>
          “{name}” is no column any more. It was removed or renamed.{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => set(name, undefined)}>
            Remove its value
          </Anchor>
        </Input.Error>
      ))}
    </div>
  );
}
