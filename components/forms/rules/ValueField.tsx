import { ActionIcon, TagsInput, TextInput, Tooltip } from '@mantine/core';
import { IconBraces, IconLetterCase, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { usePathDrop } from '../usePathDrop';
import { FieldPicker } from './FieldPicker';
import { isPattern } from './model/forms';
import { canIgnoreCase, operandOf, takesField, type OperatorChoice } from './model/operators';
import { patternFault } from './model/pattern';
import type { Operand } from './model/rules';
import classes from './Rules.module.css';

interface Props {
  label: string;
  choice: OperatorChoice;
  value: Operand | undefined;
  /** An example of the field that the value is compared with. */
  example: unknown;
  /** What a value is picked from, by name. */
  scope: Readonly<Record<string, unknown>>;
  ignoreCase: boolean;
  onChange(value: Operand | undefined): void;
  onIgnoreCase(ignoreCase: boolean): void;
}

/** The value of a rule: fixed, in a control for its type, or another field. */
export function ValueField({ label, choice, value, example, scope, ignoreCase, onChange, onIgnoreCase }: Props) {
  const [isPicking, setPicking] = useState(value !== undefined && 'path' in value);
  const pick = (path: string) => {
    setPicking(true);
    onChange({ path });
  };
  const drop = usePathDrop(takesField(choice.operator) ? pick : undefined);
  const path = value && 'path' in value ? value.path : undefined;
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  const isPicked = isPicking || path !== undefined;
  const toggle = isPicked ? 'Use a fixed value' : 'Compare with a field';
  return (
    <div className={classes.value} {...drop}>
      {isPicked ? (
        <FieldPicker label={label} value={path} scope={scope} onPick={pick} />
      ) : (
        <FixedField
          label={label}
          choice={choice}
          value={fixed}
          example={example}
          onChange={(next) => onChange(operandOf(next))}
        />
      )}
      {canIgnoreCase(choice) && (
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
      {takesField(choice.operator) && (
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

interface FixedProps {
  label: string;
  choice: Pick<OperatorChoice, 'type' | 'operator'>;
  value: unknown;
  example: unknown;
  onChange(value: unknown): void;
}

const asText = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

function FixedField({ label, choice, value, example, onChange }: FixedProps) {
  const { type, operator } = choice;
  const [item] = Array.isArray(example) ? (example as unknown[]) : [];
  const isNumber = type === 'number' || (type === 'list' && typeof (value ?? item) === 'number');
  if (operator === 'in' || operator === 'not_in') {
    const values = (Array.isArray(value) ? value : []).map(asText);
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
  if (operator === 'between') return <Pair label={label} type={type} value={value} onChange={onChange} />;
  if (isPattern(operator)) {
    const pattern = asText(value);
    return (
      <TextInput
        aria-label={label}
        placeholder="^A-[0-9]+$"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
        value={pattern}
        error={pattern !== '' && patternFault(pattern)}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (isNumber) return <NumberField label={label} value={value} onChange={onChange} />;
  const isDay = type === 'date' && (value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(asText(value)));
  return (
    <TextInput
      aria-label={label}
      placeholder={type === 'date' ? '2026-01-31T10:00:00Z' : 'Value'}
      type={isDay ? 'date' : 'text'}
      value={asText(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type PairProps = Pick<FixedProps, 'label' | 'value' | 'onChange'> & Pick<OperatorChoice, 'type'>;

/** The lowest and the highest value of a range. */
function Pair({ label, type, value, onChange }: PairProps) {
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
          <NumberField key={name} label={name} value={end} onChange={put} />
        ) : (
          <TextInput
            key={name}
            aria-label={name}
            type={end === undefined || /^\d{4}-\d{2}-\d{2}$/.test(asText(end)) ? 'date' : 'text'}
            value={asText(end)}
            onChange={(event) => put(event.currentTarget.value || undefined)}
          />
        ),
      )}
    </div>
  );
}

/** A text that is no number yet, such as `-`, stays in the field and is no value. */
export function NumberField({ label, value, onChange }: Pick<FixedProps, 'label' | 'value' | 'onChange'>) {
  const [draft, setDraft] = useState({ text: '', value: undefined as unknown });
  const text = draft.text !== '' && draft.value === value ? draft.text : asText(value);
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
