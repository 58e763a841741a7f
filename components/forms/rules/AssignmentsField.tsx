import { ActionIcon, Button, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { use, useState } from 'react';
import type { Alternative, FieldProps } from '../model/field';
import { PreviewContext } from '../preview';
import { Resolved } from '../Resolved';
import { isExpression as holdsExpression, labelOf } from '../model/schema';
import { WrittenField } from '../WrittenField';
import { printFields, readFields } from './model/assignments';
import { NotPlain } from './NotPlain';
import classes from './Rules.module.css';
import { TwoWays } from './TwoWays';
import { KindSelect, kindOfValue, ofKind, TypedValue, type ValueKind } from './TypedValue';
import { useParse } from './useParse';

type Fields = Record<string, unknown>;

/** Fields of an object, each with a picked or fixed value; or an expression instead of them. */
export function AssignmentsField(props: FieldProps & { alternative: Alternative }) {
  const { name, schema, value, isRequired, path, errors, alternative, onChange } = props;
  const written = typeof alternative.value === 'string' ? alternative.value : '';
  const stored = typeof value === 'object' && value !== null ? (value as Fields) : {};
  const [way, setWay] = useState<boolean>();
  const parse = useParse(written !== '' || way === true);
  if (written !== '' && !parse) return null;
  const read = holdsExpression(value)
    ? { reason: 'All fields come from one expression.' }
    : written === '' || !parse
      ? { fields: stored }
      : readFields(written, parse);
  const isExpression = way ?? 'reason' in read;
  const printed = parse && Object.keys(stored).length > 0 ? printFields(stored, parse) : '';
  return (
    <TwoWays
      label={labelOf(name, schema)}
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
            <WrittenField
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
              <Resolved value={written || printed} isBare isFaulty={errors.has(alternative.path)} />
            )}
          </>
        ) : 'reason' in read ? (
          <NotPlain what="fields" reason={read.reason} onReset={() => onChange(undefined)} />
        ) : (
          <Assignments fields={read.fields} path={path} errors={errors} onChange={onChange} />
        )}
      </div>
    </TwoWays>
  );
}

interface Row {
  name: string;
  value: unknown;
  kind: ValueKind;
}

const KINDS: readonly ValueKind[] = ['field', 'text', 'number', 'boolean', 'json'];
const NEW: Row = { name: '', value: undefined, kind: 'field' };

const fieldsOf = (rows: readonly Row[]): Fields =>
  Object.fromEntries(rows.flatMap(({ name, value }) => (name === '' ? [] : [[name, value ?? null]])));
const rowsOf = (fields: Fields): Row[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value, kind: kindOfValue(value) ?? 'field' }));

interface AssignmentsProps extends Pick<FieldProps, 'path' | 'errors'> {
  fields: Fields;
  onChange(fields: Fields | undefined): void;
}

function Assignments({ fields, path, errors, onChange }: AssignmentsProps) {
  const scope = use(PreviewContext)?.scope ?? NO_DATA;
  const [draft, setDraft] = useState<Row[]>([NEW]);
  const isCurrent = JSON.stringify(fieldsOf(draft)) === JSON.stringify(fields);
  const rows = isCurrent ? draft : rowsOf(fields);
  const change = (next: Row[]) => {
    setDraft(next);
    const all = fieldsOf(next);
    onChange(Object.keys(all).length > 0 ? all : undefined);
  };
  const edit = (index: number, part: Partial<Row>) =>
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
            <KindSelect
              label={`Type ${number}`}
              kind={kind}
              kinds={KINDS}
              onChange={(next) => edit(index, { kind: next, value: ofKind(value, next) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              mt={4}
              aria-label={`Remove field ${number}`}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
            <div className={classes.assigned} data-field={`${path}.${name}`}>
              <TypedValue
                key={kind}
                label={`Value ${number}`}
                kind={kind}
                value={value}
                scope={scope}
                onChange={(next) => edit(index, nameAfter({ name, value: next, kind }))}
              />
              {kind === 'text' && holdsExpression(value) && <Resolved value={value} isBare={false} />}
              {errors.has(`${path}.${name}`) && <Input.Error mt={4}>{errors.get(`${path}.${name}`)}</Input.Error>}
            </div>
          </div>
        );
      })}
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => change([...rows, NEW])}
      >
        Add field
      </Button>
    </Stack>
  );
}

/** A picked field names its row, if the row has no name yet. */
function nameAfter(row: Row): Partial<Row> {
  if (row.name !== '' || row.kind !== 'field') return { value: row.value };
  const name = /([A-Za-z_]\w*)[^A-Za-z_]*$/.exec(String(row.value))?.[1];
  return { value: row.value, name: name ?? '' };
}

const NO_DATA = {};
