import { parseExactJson } from '@/contract/exact-json';
import { use, useState } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import type { FieldProps } from './model/field';
import { PreviewContext } from './preview';
import { problemIn } from './model/resolve';
import { isExpression, labelOf } from './model/schema';

const written = (value: unknown) => {
  if (value === undefined) return '';
  return isExpression(value) ? value : JSON.stringify(value, null, 2);
};

interface Props extends FieldProps {
  /** The label is for screen readers only, and the description is elsewhere. */
  isLabelHidden?: boolean;
}

/** Any JSON value, or an expression. Invalid text stays in the field and does not change the value. */
export function JsonField({ name, schema, value, isRequired, path, errors, isLabelHidden, onChange }: Props) {
  const preview = use(PreviewContext);
  const [draft, setDraft] = useState<{ text: string; value: unknown }>();
  const isCurrent = draft !== undefined && JSON.stringify(draft.value) === JSON.stringify(value);
  const text = isCurrent ? draft.text : written(value);
  const isBroken = isCurrent && read(text) === UNREADABLE;

  const change = (typed: string) => {
    if (typed === '=' && text === '') return change('{{ input }}');
    const next = read(typed);
    setDraft({ text: typed, value: next === UNREADABLE ? value : next });
    if (next !== UNREADABLE) onChange(next);
  };
  return (
    <CodeInput
      label={labelOf(name, schema)}
      isLabelHidden={isLabelHidden}
      description={isLabelHidden ? undefined : (schema.description ?? 'JSON, or an expression in {{ }}')}
      error={isBroken ? 'This is not valid JSON. The last valid value is kept.' : errors.get(path)}
      withAsterisk={isRequired}
      value={text}
      language={isExpression(text) && isText(text) ? 'template' : 'json'}
      minLines={3}
      values={preview?.scope}
      check={async (all) => (isText(all) ? problemIn(all, false) : undefined)}
      onChange={change}
    />
  );
}

const UNREADABLE = Symbol('unreadable');

/** A text with an expression is a valid value without JSON quotes. */
const isText = (text: string) => isExpression(text) && !/^\s*["[{](?!\{)/.test(text);

function read(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return isText(text) ? text : UNREADABLE;
  }
}
