import { Text } from '@mantine/core';
import { RemoveRowButton } from '@/components/forms/RowButtons';
import { useState } from 'react';
import { JsonField } from '@/components/forms/JsonField';
import { DataFieldPicker } from '@/components/forms/rules/DataFieldPicker';
import { exampleValueAt } from '@/components/forms/rules/model/pickable-fields';
import {
  ValueKindSelect,
  detectValueKind,
  convertToKind,
  TypedValueInput,
  type AssignedValueKind,
} from '@/components/forms/rules/TypedValueInput';
import { ExpressionLanguageContext } from '@/components/ui/values/expression-language';
import { EMPTY_TEST_ERRORS } from './test-errors';
import {
  splitExpectedOutput,
  joinExpectedOutput,
  outputFieldPath,
  outputFieldSteps,
  addOutputField,
  type ExpectedOutputField,
} from './model/output-fields';
import classes from './Tests.module.css';

interface Props {
  /** The owner of the output, for the labels. */
  of: string;
  /** The expected output; undefined: it may be anything. */
  value: unknown;
  /** The output of a recorded run; undefined: none is known. */
  recorded: unknown;
  onChange(value: unknown): void;
}

interface OutputFieldRow extends ExpectedOutputField {
  kind: AssignedValueKind;
}

/** Paths of outputs are no expressions: they are written alike in all workflows. */
const OUTPUT_PATH_LANGUAGE = 'jsonata';
const OUTPUT_VALUE_KINDS: readonly AssignedValueKind[] = ['text', 'number', 'boolean', 'json'];
const EMPTY_OUTPUT_SCOPE = {};

const outputValueKind = (value: unknown): AssignedValueKind => {
  const kind = detectValueKind(value, OUTPUT_PATH_LANGUAGE) ?? 'text';
  return kind === 'field' ? 'text' : kind;
};
const outputFieldRows = (output: unknown): OutputFieldRow[] =>
  splitExpectedOutput(output).map((field) => ({ ...field, kind: outputValueKind(field.value) }));
const outputFromRows = (rows: readonly OutputFieldRow[]) =>
  joinExpectedOutput(rows.filter(({ value }) => value !== undefined));

/**
 * Edits the expected fields of an output, one row for each. Rows without a value stay in the editor and are not part of
 * the expectation.
 */
export function ExpectedOutputFields({ of, value, recorded, onChange }: Props) {
  const [draft, setDraft] = useState<OutputFieldRow[]>([]);
  const isCurrent = JSON.stringify(outputFromRows(draft)) === JSON.stringify(value);
  const rows = isCurrent ? draft : outputFieldRows(value);
  const scope = recorded === undefined ? EMPTY_OUTPUT_SCOPE : { output: recorded };
  const change = (next: OutputFieldRow[]) => {
    setDraft(next);
    onChange(outputFromRows(next));
  };
  const put = (index: number, part: Partial<OutputFieldRow>) =>
    change(rows.map((row, at) => (at === index ? { ...row, ...part } : row)));
  const pick = (path: string) => {
    const steps = outputFieldSteps(path);
    if (!steps) return;
    const example = exampleValueAt(scope, outputFieldPath({ steps }) ?? '');
    change(
      addOutputField(rows, {
        steps,
        value: example,
        kind: outputValueKind(example),
      } as OutputFieldRow) as OutputFieldRow[],
    );
  };
  return (
    <ExpressionLanguageContext value={OUTPUT_PATH_LANGUAGE}>
      {rows.map(({ steps, value: expected, kind }, index) => {
        const path = outputFieldPath({ steps }) ?? '';
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
                errors={EMPTY_TEST_ERRORS}
                isLabelHidden
                onChange={(next) => put(index, { value: next })}
              />
            ) : (
              <TypedValueInput
                key={kind}
                label={`Value of ${path}`}
                kind={kind}
                value={expected}
                scope={EMPTY_OUTPUT_SCOPE}
                isLiteral
                onChange={(next) => put(index, { value: next })}
              />
            )}
            <ValueKindSelect
              label={`Type of ${path}`}
              kind={kind}
              kinds={OUTPUT_VALUE_KINDS}
              onChange={(next) =>
                put(index, { kind: next, value: convertToKind(expected, next, OUTPUT_PATH_LANGUAGE) })
              }
            />
            <RemoveRowButton mt={4} row={path} onClick={() => change(rows.filter((_, at) => at !== index))} />
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
          <DataFieldPicker label={`Add a field of ${of}`} value={undefined} scope={scope} onPick={pick} />
        </div>
      )}
    </ExpressionLanguageContext>
  );
}
