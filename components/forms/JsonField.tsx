import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { FieldProps } from './field';
import { isExpression, labelOf } from './schema';

const written = (value: unknown) => {
  if (value === undefined) return '';
  return isExpression(value) ? value : JSON.stringify(value, null, 2);
};

/** Any JSON value, or an expression. What can't be read yet stays in the field and is not told on. */
export function JsonField({ name, schema, value, isRequired, path, errors, onChange }: FieldProps) {
  const [draft, setDraft] = useState<{ text: string; value: unknown }>();
  const isCurrent = draft !== undefined && JSON.stringify(draft.value) === JSON.stringify(value);
  const text = isCurrent ? draft.text : written(value);
  const isBroken = isCurrent && read(text) === UNREADABLE;

  const change = (typed: string) => {
    const next = read(typed);
    setDraft({ text: typed, value: next === UNREADABLE ? value : next });
    if (next !== UNREADABLE) onChange(next);
  };
  return (
    <Textarea
      label={labelOf(name, schema)}
      description={schema.description ?? 'JSON, or an expression in {{ }}'}
      error={isBroken ? 'This is not JSON yet; the last readable value is kept.' : errors.get(path)}
      withAsterisk={isRequired}
      value={text}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

const UNREADABLE = Symbol('unreadable');

function read(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: text with an expression in it is a value all the same.
    return isExpression(text) && !/^\s*["[{](?!\{)/.test(text) ? text : UNREADABLE;
  }
}
