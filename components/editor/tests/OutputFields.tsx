import { ActionIcon, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { JsonField } from '@/components/forms/JsonField';
import { FieldPicker } from '@/components/forms/rules/FieldPicker';
import { exampleAt } from '@/components/forms/rules/model/pickable';
import { KindSelect, kindOfValue, ofKind, TypedValue, type ValueKind } from '@/components/forms/rules/TypedValue';
import { NO_ERRORS } from './errors';
import { outputFields, outputOf, pathOf, stepsOf, withField, type OutputField } from './model/output-fields';
import classes from './Tests.module.css';

interface Props {
  /** Whose output, for the labels. */
  of: string;
  /** The expected output; undefined: it may be anything. */
  value: unknown;
  /** The output of a recorded run; undefined: none is known. */
  recorded: unknown;
  onChange(value: unknown): void;
}

interface Row extends OutputField {
  kind: ValueKind;
}

const KINDS: readonly ValueKind[] = ['text', 'number', 'boolean', 'json'];
const NO_DATA = {};

const kindOf = (value: unknown): ValueKind => {
  const kind = kindOfValue(value) ?? 'text';
  return kind === 'field' ? 'text' : kind;
};
const rowsOf = (output: unknown): Row[] =>
  outputFields(output).map((field) => ({ ...field, kind: kindOf(field.value) }));
const written = (rows: readonly Row[]) => outputOf(rows.filter(({ value }) => value !== undefined));

/** What an output contains: one row for each field. Rows without a value stay here and are not part of it. */
export function OutputFields({ of, value, recorded, onChange }: Props) {
  const [draft, setDraft] = useState<Row[]>([]);
  const isCurrent = JSON.stringify(written(draft)) === JSON.stringify(value);
  const rows = isCurrent ? draft : rowsOf(value);
  const scope = recorded === undefined ? NO_DATA : { output: recorded };
  const change = (next: Row[]) => {
    setDraft(next);
    onChange(written(next));
  };
  const put = (index: number, part: Partial<Row>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const pick = (path: string) => {
    const steps = stepsOf(path);
    if (!steps) return;
    const example = exampleAt(scope, pathOf({ steps }) ?? '');
    change(withField(rows, { steps, value: example, kind: kindOf(example) } as Row) as Row[]);
  };
  return (
    <>
      {rows.map(({ steps, value: expected, kind }, index) => {
        const path = pathOf({ steps }) ?? '';
        return (
          <div key={path} className={classes.field}>
            <Text size="sm" className={classes.path} title={path}>
              <code>{path}</code> {kind === 'json' ? 'is or contains' : 'is'}
            </Text>
            {kind === 'json' ? (
              <JsonField
                name="value"
                schema={{ title: `Value of ${path}` }}
                value={expected}
                isRequired={false}
                path={path}
                errors={NO_ERRORS}
                isLabelHidden
                onChange={(next) => put(index, { value: next })}
              />
            ) : (
              <TypedValue
                key={kind}
                label={`Value of ${path}`}
                kind={kind}
                value={expected}
                scope={NO_DATA}
                isLiteral
                onChange={(next) => put(index, { value: next })}
              />
            )}
            <KindSelect
              label={`Type of ${path}`}
              kind={kind}
              kinds={KINDS}
              onChange={(next) => put(index, { kind: next, value: ofKind(expected, next) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              mt={4}
              aria-label={`Remove ${path}`}
              onClick={() => change(rows.filter((_, at) => at !== index))}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </div>
        );
      })}
      {rows.some(({ value: expected }) => expected === undefined) && (
        <Text size="xs" c="dimmed">
          A field without a value is not compared.
        </Text>
      )}
      {!rows.some(({ steps }) => steps.length === 0) && (
        <div className={classes.pick}>
          <FieldPicker label={`Add a field of ${of}`} value={undefined} scope={scope} onPick={pick} />
        </div>
      )}
    </>
  );
}
