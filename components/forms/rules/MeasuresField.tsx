import { Input, Select, Stack, TextInput } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from '../RowButtons';
import type { FieldControlProps } from '../model/field-props';
import { enumOptionLabel, schemaLabel, type FieldSchema } from '../model/field-schema';
import { useFormValue } from '../model/form-values';
import { ItemFieldPicker } from './ItemFieldPicker';
import { exampleValueAt } from './model/pickable-fields';
import { itemFieldPath } from './model/filter-rules';
import classes from './Rules.module.css';
import { useFirstItem } from './useFirstItem';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';

interface Measure {
  name?: string;
  operation?: string;
  field?: string;
}

/** The name that a measure has until somebody writes another. */
function defaultMeasureName({ operation, field }: Measure): string {
  const last = field?.split('.').at(-1);
  return [operation, operation === 'count' ? undefined : last].filter(Boolean).join('_');
}

/** A change of a measure. Its name follows, unless somebody wrote it. */
function changeMeasure(before: Measure, part: Measure): Measure {
  const next = { ...before, ...part };
  const isNamed = part.name !== undefined || (before.name && before.name !== defaultMeasureName(before));
  return isNamed ? next : { ...next, name: defaultMeasureName(next) };
}

/** What is computed of the items of each group: rows of an operation, a field and the name of the result. */
export function MeasuresField({ name, schema, value, isRequired, path, errors, onChange }: FieldControlProps) {
  const scope = useFirstItem(useFormValue(schema['x-list']));
  const language = useExpressionLanguage();
  const stored: Measure[] = Array.isArray(value) ? value : [];
  const rows = stored.length > 0 ? stored : [{}];
  const operations: FieldSchema = schema.items?.properties?.operation ?? {};
  const change = (next: Measure[]) => onChange(next.length > 0 ? next : undefined);
  const edit = (index: number, part: Measure) => change(rows.with(index, changeMeasure(rows[index] ?? {}, part)));
  const pickField = (index: number, field: string) => {
    const example = exampleValueAt(scope, itemFieldPath(field, language) ?? '', language);
    const operation = rows[index]?.operation ?? (typeof example === 'number' ? 'sum' : 'list');
    edit(index, { field, operation });
  };
  return (
    <Input.Wrapper
      label={schemaLabel(name, schema)}
      labelElement="div"
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
    >
      <Stack gap={8} mt={6}>
        {rows.map((row, index) => {
          const number = index + 1;
          const problem = [...errors].find(([at]) => at.startsWith(`${path}[${index}]`))?.[1];
          return (
            <div
              key={index}
              className={classes.measure}
              role="group"
              aria-label={`Measure ${number}`}
              data-field={`${path}[${index}]`}
            >
              <ItemFieldPicker
                label={`Field of measure ${number}`}
                value={row.field}
                scope={scope}
                placeholder={row.operation === 'count' ? 'All items' : undefined}
                onPick={(field) => pickField(index, field)}
              />
              <RemoveRowButton
                mt={4}
                row={`measure ${number}`}
                onClick={() => change(rows.filter((_, other) => other !== index))}
              />
              <Select
                aria-label={`Operation ${number}`}
                placeholder="Operation"
                data={(operations.enum ?? []).map((one) => ({
                  value: String(one),
                  label: enumOptionLabel(one, operations),
                }))}
                value={row.operation ?? null}
                allowDeselect={false}
                onChange={(operation) => operation !== null && edit(index, { operation })}
              />
              <TextInput
                aria-label={`Name ${number}`}
                placeholder="Name of the result"
                value={row.name ?? ''}
                onChange={(event) => edit(index, { name: event.currentTarget.value })}
              />
              {problem && <Input.Error className={classes.wholeMeasure}>{problem}</Input.Error>}
            </div>
          );
        })}
        <AddRowButton label="Add measure" onClick={() => change([...stored, { name: 'count', operation: 'count' }])} />
      </Stack>
    </Input.Wrapper>
  );
}
