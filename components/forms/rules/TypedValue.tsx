import { parseExactJson } from '@/contract/exact-json';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TextField } from '../TextField';
import { pickedPath } from './model/assignments';
import { FieldPicker } from './FieldPicker';
import { NumberField } from './ValueField';

/** How a value is given. */
export type ValueKind = 'field' | 'text' | 'number' | 'boolean' | 'json';

const LABELS: Record<ValueKind, string> = {
  field: 'Field',
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  json: 'JSON',
};

/** How a value would be given. */
export function kindOfValue(value: unknown): ValueKind | undefined {
  if (value === undefined) return undefined;
  if (pickedPath(value) !== undefined) return 'field';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as 'number' | 'boolean') : 'json';
}

/** A value of another kind, as far as it can be kept. */
export function ofKind(value: unknown, kind: ValueKind): unknown {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  if (kind === 'text') return pickedPath(value) === undefined ? text : '';
  if (kind === 'number') return text !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (kind === 'boolean') return text === 'true';
  return kind === 'json' && pickedPath(value) === undefined ? value : undefined;
}

interface KindProps {
  label: string;
  kind: ValueKind;
  kinds: readonly ValueKind[];
  onChange(kind: ValueKind): void;
}

/** Chooses how a value is given. */
export function KindSelect({ label, kind, kinds, onChange }: KindProps) {
  return (
    <Select
      aria-label={label}
      data={kinds.map((each) => ({ value: each, label: LABELS[each] }))}
      value={kind}
      allowDeselect={false}
      comboboxProps={{ width: 130, position: 'bottom-end' }}
      onChange={(next) => next !== null && onChange(next as ValueKind)}
    />
  );
}

interface ValueProps {
  label: string;
  kind: ValueKind;
  value: unknown;
  scope: Readonly<Record<string, unknown>>;
  /** Texts are literal: they hold no expressions. */
  isLiteral?: boolean;
  onChange(value: unknown): void;
}

/** A value in the control for its kind. */
export function TypedValue({ label, kind, value, scope, isLiteral, onChange }: ValueProps) {
  switch (kind) {
    case 'field':
      return (
        <FieldPicker
          label={label}
          value={pickedPath(value)}
          scope={scope}
          onPick={(path) => onChange(`{{ ${path} }}`)}
        />
      );
    case 'text':
      return (
        <TextField
          label={label}
          isLabelHidden
          isLiteral={isLiteral}
          placeholder="Text"
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
        />
      );
    case 'number':
      return <NumberField label={label} value={value} onChange={onChange} />;
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
      return <JsonValue label={label} value={value} onChange={onChange} />;
  }
}

function JsonValue({ label, value, onChange }: Pick<ValueProps, 'label' | 'value' | 'onChange'>) {
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
