import { parseExactJson } from '@/contract/exact-json';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { ExpressionTextField } from '../ExpressionTextField';
import { singlePathInBraces } from './model/assignments';
import { DataFieldPicker } from './DataFieldPicker';
import { NumberTextInput } from './RuleValueField';

/** How a value is given. */
export type AssignedValueKind = 'field' | 'text' | 'number' | 'boolean' | 'json';

const VALUE_KIND_LABELS: Record<AssignedValueKind, string> = {
  field: 'Field',
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  json: 'JSON',
};

/** How a value would be given. */
export function detectValueKind(value: unknown, language: ExpressionLanguage): AssignedValueKind | undefined {
  if (value === undefined) return undefined;
  if (singlePathInBraces(value, language) !== undefined) return 'field';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as 'number' | 'boolean') : 'json';
}

/** A value of another kind, as far as it can be kept. */
export function convertToKind(value: unknown, kind: AssignedValueKind, language: ExpressionLanguage): unknown {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  if (kind === 'text') return singlePathInBraces(value, language) === undefined ? text : '';
  if (kind === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (kind === 'boolean') return text === 'true';
  return kind === 'json' && singlePathInBraces(value, language) === undefined ? value : undefined;
}

interface ValueKindSelectProps {
  label: string;
  kind: AssignedValueKind;
  kinds: readonly AssignedValueKind[];
  onChange(kind: AssignedValueKind): void;
}

/** Chooses how a value is given. */
export function ValueKindSelect({ label, kind, kinds, onChange }: ValueKindSelectProps) {
  return (
    <Select
      aria-label={label}
      data={kinds.map((each) => ({ value: each, label: VALUE_KIND_LABELS[each] }))}
      value={kind}
      allowDeselect={false}
      comboboxProps={{ width: 130, position: 'bottom-end' }}
      onChange={(next) => next !== null && onChange(next as AssignedValueKind)}
    />
  );
}

interface TypedValueProps {
  label: string;
  kind: AssignedValueKind;
  value: unknown;
  scope: Readonly<Record<string, unknown>>;
  /** Texts are literal: they hold no expressions. */
  isLiteral?: boolean;
  onChange(value: unknown): void;
}

/** A value in the control for its kind. */
export function TypedValueInput({ label, kind, value, scope, isLiteral, onChange }: TypedValueProps) {
  const language = useExpressionLanguage();
  switch (kind) {
    case 'field':
      return (
        <DataFieldPicker
          label={label}
          value={singlePathInBraces(value, language)}
          scope={scope}
          onPick={(path) => onChange(`{{ ${path} }}`)}
        />
      );
    case 'text':
      return (
        <ExpressionTextField
          label={label}
          isLabelHidden
          isLiteral={isLiteral}
          placeholder="Text"
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
        />
      );
    case 'number':
      return <NumberTextInput label={label} value={value} onChange={onChange} />;
    case 'boolean':
      return (
        <Select
          aria-label={label}
          data={['yes', 'no']}
          value={value === true ? 'yes' : 'no'}
          allowDeselect={false}
          onChange={(next) => onChange(next === 'yes')}
        />
      );
    case 'json':
      return <JsonValueInput label={label} value={value} onChange={onChange} />;
  }
}

function JsonValueInput({ label, value, onChange }: Pick<TypedValueProps, 'label' | 'value' | 'onChange'>) {
  const [draft, setDraft] = useState({ text: '', value: undefined as unknown });
  const isOwn = draft.text !== '' && JSON.stringify(draft.value) === JSON.stringify(value);
  const text = isOwn ? draft.text : value === undefined ? '' : JSON.stringify(value);
  const read = (typed: string): unknown => {
    try {
      return parseExactJson(typed);
    } catch {
      return undefined;
    }
  };
  return (
    <TextInput
      aria-label={label}
      placeholder='["a", "b"]'
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      value={text}
      error={text !== '' && read(text) === undefined ? 'This is not valid JSON' : undefined}
      onChange={({ currentTarget: { value: typed } }) => {
        setDraft({ text: typed, value: read(typed) });
        onChange(read(typed));
      }}
    />
  );
}
