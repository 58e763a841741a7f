import { Input, Stack, TextInput } from '@mantine/core';
import { AddRowButton, RemoveRowButton } from '../RowButtons';
import { use, useState } from 'react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import type { AlternativeField, FieldControlProps } from '../model/field-props';
import { PreviewDataContext } from '../preview-context';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { ExpressionPreview } from '../ExpressionPreview';
import { hasExpressionBraces as holdsExpression, schemaLabel } from '../model/field-schema';
import { CodeField } from '../CodeField';
import { NotShowableNote } from './NotShowableNote';
import classes from './Rules.module.css';
import { TwoModesField } from './TwoModesField';
import {
  ValueKindSelect,
  detectValueKind,
  convertToKind,
  TypedValueInput,
  type AssignedValueKind,
} from './TypedValueInput';
import { useExpressionReader } from './useExpressionReader';

type AssignedFields = Record<string, unknown>;

/** Fields of an object, each with a picked or fixed value; or an expression instead of them. */
export function AssignmentsField(props: FieldControlProps & { alternative: AlternativeField }) {
  const { name, schema, value, isRequired, path, errors, alternative, onChange } = props;
  const written = typeof alternative.value === 'string' ? alternative.value : '';
  const stored = typeof value === 'object' && value !== null ? (value as AssignedFields) : {};
  const [way, setWay] = useState<boolean>();
  const reader = useExpressionReader(written !== '' || way === true);
  if (written !== '' && !reader) return null;
  const read = holdsExpression(value)
    ? { reason: 'All fields come from one expression.' }
    : written === '' || !reader
      ? { fields: stored }
      : reader.parseFields(written);
  const isExpression = way ?? 'reason' in read;
  const printed = reader && Object.keys(stored).length > 0 ? reader.printFields(stored) : '';
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      description={isExpression ? alternative.schema.description : 'The output has these fields.'}
      error={isExpression ? undefined : (errors.get(path) ?? errors.get(alternative.path))}
      isRequired={isRequired}
      plain="Fields"
      isExpression={isExpression}
      onWay={setWay}
    >
      {/* Errors of the expression lead here, however it is edited. */}
      <div data-field={alternative.path}>
        {isExpression ? (
          <>
            <CodeField
              name={alternative.name}
              schema={{ ...alternative.schema, description: undefined }}
              value={written || printed}
              isRequired={false}
              path={alternative.path}
              errors={errors}
              isLabelHidden
              onChange={alternative.onChange}
            />
            {(written || printed) && (
              <ExpressionPreview value={written || printed} isBare isFaulty={errors.has(alternative.path)} />
            )}
          </>
        ) : 'reason' in read ? (
          <NotShowableNote what="fields" reason={read.reason} onReset={() => onChange(undefined)} />
        ) : (
          <AssignmentRows fields={read.fields} path={path} errors={errors} onChange={onChange} />
        )}
      </div>
    </TwoModesField>
  );
}

interface AssignmentRow {
  name: string;
  value: unknown;
  kind: AssignedValueKind;
}

const ASSIGNMENT_KINDS: readonly AssignedValueKind[] = ['field', 'text', 'number', 'boolean', 'json'];
const NEW_ASSIGNMENT: AssignmentRow = { name: '', value: undefined, kind: 'field' };

const fieldsFromRows = (rows: readonly AssignmentRow[]): AssignedFields =>
  Object.fromEntries(rows.flatMap(({ name, value }) => (name === '' ? [] : [[name, value ?? null]])));
const assignmentRows = (fields: AssignedFields, language: ExpressionLanguage): AssignmentRow[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    value,
    kind: detectValueKind(value, language) ?? 'field',
  }));

interface AssignmentRowsProps extends Pick<FieldControlProps, 'path' | 'errors'> {
  fields: AssignedFields;
  onChange(fields: AssignedFields | undefined): void;
}

function AssignmentRows({ fields, path, errors, onChange }: AssignmentRowsProps) {
  const scope = use(PreviewDataContext)?.scope ?? EMPTY_ASSIGNED_SCOPE;
  const language = useExpressionLanguage();
  const [draft, setDraft] = useState<AssignmentRow[]>([NEW_ASSIGNMENT]);
  const isCurrent = JSON.stringify(fieldsFromRows(draft)) === JSON.stringify(fields);
  const rows = isCurrent ? draft : assignmentRows(fields, language);
  const change = (next: AssignmentRow[]) => {
    setDraft(next);
    const all = fieldsFromRows(next);
    onChange(Object.keys(all).length > 0 ? all : undefined);
  };
  const edit = (index: number, part: Partial<AssignmentRow>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  return (
    <Stack gap={8}>
      {rows.map(({ name, value, kind }, index) => {
        const number = index + 1;
        const isTwice = name !== '' && rows.some((row, at) => at < index && row.name === name);
        return (
          <div key={index} className={classes.assignment} role="group" aria-label={`Field ${number}`}>
            <TextInput
              aria-label={`Name ${number}`}
              placeholder="Name"
              value={name}
              error={isTwice && 'Another field has this name'}
              onChange={(event) => edit(index, { name: event.currentTarget.value })}
            />
            <ValueKindSelect
              label={`Type ${number}`}
              kind={kind}
              kinds={ASSIGNMENT_KINDS}
              onChange={(next) => edit(index, { kind: next, value: convertToKind(value, next, language) })}
            />
            <RemoveRowButton
              mt={4}
              row={`field ${number}`}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            />
            <div className={classes.assigned} data-field={`${path}.${name}`}>
              <TypedValueInput
                key={kind}
                label={`Value ${number}`}
                kind={kind}
                value={value}
                scope={scope}
                onChange={(next) => edit(index, nameFromPickedField({ name, value: next, kind }))}
              />
              {kind === 'text' && holdsExpression(value) && <ExpressionPreview value={value} isBare={false} />}
              {errors.has(`${path}.${name}`) && <Input.Error mt={4}>{errors.get(`${path}.${name}`)}</Input.Error>}
            </div>
          </div>
        );
      })}
      <AddRowButton label="Add field" onClick={() => change([...rows, NEW_ASSIGNMENT])} />
    </Stack>
  );
}

/** A picked field names its row, if the row has no name yet. */
function nameFromPickedField(row: AssignmentRow): Partial<AssignmentRow> {
  if (row.name !== '' || row.kind !== 'field') return { value: row.value };
  const name = /([A-Za-z_]\w*)[^A-Za-z_]*$/.exec(String(row.value))?.[1];
  return { value: row.value, name: name ?? '' };
}

const EMPTY_ASSIGNED_SCOPE = {};
