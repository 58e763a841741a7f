import { parseExactJson } from '@/contract/exact-json';
import { use, useRef, useState } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import type { CodeInsertion } from '@/components/code/insertion';
import insertion from './InsertDataButton.module.css';
import { InsertDataButton } from './InsertDataButton';
import { useReferenceDescriber } from './model/useReferenceDescriber';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { FieldControlProps } from './model/field-props';
import { PreviewDataContext } from './preview-context';
import { findSyntaxProblem } from './model/preview-expression';
import { hasExpressionBraces, schemaLabel } from './model/field-schema';

const jsonFieldText = (value: unknown) => {
  if (value === undefined) return '';
  return hasExpressionBraces(value) ? value : JSON.stringify(value, null, 2);
};

interface Props extends FieldControlProps {
  /** The label is for screen readers only, and the description is elsewhere. */
  isLabelHidden?: boolean;
}

/** Any JSON value, or an expression. Invalid text stays in the field and does not change the value. */
export function JsonField({ name, schema, value, isRequired, path, errors, isLabelHidden, onChange }: Props) {
  const preview = use(PreviewDataContext);
  const language = useExpressionLanguage();
  const [draft, setDraft] = useState<{ text: string; value: unknown }>();
  const isCurrent = draft !== undefined && JSON.stringify(draft.value) === JSON.stringify(value);
  const text = isCurrent ? draft.text : jsonFieldText(value);
  const isBroken = isCurrent && parseJsonField(text) === UNREADABLE_JSON;

  const change = (typed: string) => {
    if (typed === '=' && text === '') return change('{{ input }}');
    const next = parseJsonField(typed);
    setDraft({ text: typed, value: next === UNREADABLE_JSON ? value : next });
    if (next !== UNREADABLE_JSON) onChange(next);
  };
  const insertRef = useRef<(insertion: CodeInsertion) => void>(undefined);
  const describeReference = useReferenceDescriber();
  const label = schemaLabel(name, schema);
  return (
    <div className={insertion.field}>
      <CodeInput
        label={label}
        isLabelHidden={isLabelHidden}
        description={isLabelHidden ? undefined : (schema.description ?? 'JSON, or an expression in {{ }}')}
        error={isBroken ? 'This is not valid JSON. The last valid value is kept.' : errors.get(path)}
        withAsterisk={isRequired}
        value={text}
        language={hasExpressionBraces(text) && isTemplateText(text) ? 'template' : 'json'}
        minLines={3}
        values={preview?.scope}
        check={async (all) => (isTemplateText(all) ? findSyntaxProblem(all, false, language) : undefined)}
        describeReference={describeReference}
        onInserter={(insert) => {
          insertRef.current = insert;
        }}
        onChange={change}
      />
      {preview && (
        <InsertDataButton
          label={label}
          place={isLabelHidden ? 'end' : 'above'}
          onPick={(path) => insertRef.current?.({ text: path })}
        />
      )}
    </div>
  );
}

const UNREADABLE_JSON = Symbol('unreadable');

/** A text with an expression is a valid value without JSON quotes. */
const isTemplateText = (text: string) => hasExpressionBraces(text) && !/^\s*["[{](?!\{)/.test(text);

function parseJsonField(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return isTemplateText(text) ? text : UNREADABLE_JSON;
  }
}
