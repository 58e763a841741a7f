import { ActionIcon, TagsInput, TextInput, Tooltip } from '@mantine/core';
import { IconBraces, IconLetterCase, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { usePathDropTarget } from '../usePathDrop';
import { DataFieldPicker } from './DataFieldPicker';
import { isPatternOperator } from './model/rule-forms';
import {
  supportsIgnoreCase,
  operandFromInput,
  acceptsFieldOperand,
  type RuleOperatorChoice,
} from './model/operator-choices';
import { regexPatternProblem } from './model/regex-pattern';
import type { RuleOperand } from './model/rule-model';
import classes from './Rules.module.css';

interface Props {
  label: string;
  choice: RuleOperatorChoice;
  value: RuleOperand | undefined;
  /** An example of the field that the value is compared with. */
  example: unknown;
  /** The data from which a value is picked, by name. */
  scope: Readonly<Record<string, unknown>>;
  ignoreCase: boolean;
  onChange(value: RuleOperand | undefined): void;
  onIgnoreCase(ignoreCase: boolean): void;
}

/** The value of a rule: fixed, in a control for its type, or another field. */
export function RuleValueField({ label, choice, value, example, scope, ignoreCase, onChange, onIgnoreCase }: Props) {
  const [isPicking, setPicking] = useState(value !== undefined && 'path' in value);
  const pick = (path: string) => {
    setPicking(true);
    onChange({ path });
  };
  const drop = usePathDropTarget(acceptsFieldOperand(choice.operator) ? pick : undefined);
  const path = value && 'path' in value ? value.path : undefined;
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  const isPicked = isPicking || path !== undefined;
  const toggle = isPicked ? 'Use a fixed value' : 'Compare with a field';
  return (
    <div className={classes.value} {...drop}>
      {isPicked ? (
        <DataFieldPicker label={label} value={path} scope={scope} onPick={pick} />
      ) : (
        <FixedValueInput
          label={label}
          choice={choice}
          value={fixed}
          example={example}
          onChange={(next) => onChange(operandFromInput(next))}
        />
      )}
      {supportsIgnoreCase(choice) && (
        <Tooltip label={ignoreCase ? 'Capital and small letters are the same' : 'Capital and small letters differ'}>
          <ActionIcon
            variant={ignoreCase ? 'light' : 'subtle'}
            color={ignoreCase ? 'woad' : 'gray'}
            size={28}
            mt={4}
            aria-label={`${label}: ignore the case of letters`}
            aria-pressed={ignoreCase}
            onClick={() => onIgnoreCase(!ignoreCase)}
          >
            <IconLetterCase size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {acceptsFieldOperand(choice.operator) && (
        <Tooltip label={toggle}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            mt={4}
            aria-label={`${label}: ${toggle.toLowerCase()}`}
            onClick={() => {
              setPicking(!isPicked);
              onChange(undefined);
            }}
          >
            {isPicked ? <IconPencil size={15} aria-hidden /> : <IconBraces size={15} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

interface FixedValueProps {
  label: string;
  choice: Pick<RuleOperatorChoice, 'type' | 'operator'>;
  value: unknown;
  example: unknown;
  onChange(value: unknown): void;
}

const fixedValueText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function FixedValueInput({ label, choice, value, example, onChange }: FixedValueProps) {
  const { type, operator } = choice;
  const [item] = Array.isArray(example) ? (example as unknown[]) : [];
  const isNumber = type === 'number' || (type === 'list' && typeof (value ?? item) === 'number');
  if (operator === 'in' || operator === 'not_in') {
    const values = (Array.isArray(value) ? value : []).map(fixedValueText);
    const numbers = (texts: string[]) => texts.map(Number).filter(Number.isFinite);
    return (
      <TagsInput
        aria-label={label}
        placeholder={values.length ? undefined : 'Values, each with Enter'}
        value={values}
        acceptValueOnBlur
        onChange={(texts) => onChange(isNumber ? numbers(texts) : texts)}
      />
    );
  }
  if (operator === 'between') return <ValueRangeInput label={label} type={type} value={value} onChange={onChange} />;
  if (isPatternOperator(operator)) {
    const pattern = fixedValueText(value);
    return (
      <TextInput
        aria-label={label}
        placeholder="^A-[0-9]+$"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={pattern}
        error={pattern !== '' && regexPatternProblem(pattern)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (isNumber) return <NumberTextInput label={label} value={value} onChange={onChange} />;
  const isDay = type === 'date' && (value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(fixedValueText(value)));
  return (
    <TextInput
      aria-label={label}
      placeholder={type === 'date' ? '2026-01-31T10:00:00Z' : 'Value'}
      type={isDay ? 'date' : 'text'}
      value={fixedValueText(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type ValueRangeProps = Pick<FixedValueProps, 'label' | 'value' | 'onChange'> & Pick<RuleOperatorChoice, 'type'>;

/** The lowest and the highest value of a range. */
function ValueRangeInput({ label, type, value, onChange }: ValueRangeProps) {
  const [low, high]: unknown[] = Array.isArray(value) ? value : [];
  const change = (next: unknown[]) => onChange(next.every((one) => one === undefined || one === '') ? undefined : next);
  const ends = [
    { name: `${label}: from`, value: low, put: (next: unknown) => change([next, high]) },
    { name: `${label}: to`, value: high, put: (next: unknown) => change([low, next]) },
  ];
  return (
    <div className={classes.pair}>
      {ends.map(({ name, value: end, put }) =>
        type === 'number' ? (
          <NumberTextInput key={name} label={name} value={end} onChange={put} />
        ) : (
          <TextInput
            key={name}
            aria-label={name}
            type={end === undefined || /^\d{4}-\d{2}-\d{2}$/.test(fixedValueText(end)) ? 'date' : 'text'}
            value={fixedValueText(end)}
            onChange={(event) => put(event.currentTarget.value || undefined)}
          />
        ),
      )}
    </div>
  );
}

/** A text that is no number yet, such as `-`, stays in the field and is no value. */
export function NumberTextInput({ label, value, onChange }: Pick<FixedValueProps, 'label' | 'value' | 'onChange'>) {
  const [draft, setDraft] = useState({ text: '', value: undefined as unknown });
  const text = draft.text !== '' && draft.value === value ? draft.text : fixedValueText(value);
  const isNumber = text.trim() === '' || Number.isFinite(Number(text));
  return (
    <TextInput
      aria-label={label}
      placeholder="Number"
      inputMode="decimal"
      value={text}
      error={isNumber ? undefined : 'This is not a number'}
      onChange={({ currentTarget: { value: typed } }) => {
        const number = typed.trim() === '' || !Number.isFinite(Number(typed)) ? undefined : Number(typed);
        setDraft({ text: typed, value: number });
        onChange(number);
      }}
    />
  );
}
