import { use } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import type { FieldProps } from './model/field';
import { LargeInput } from './large/LargeInput';
import { PreviewContext } from './preview';
import { problemIn } from './model/resolve';
import { kindOf, labelOf, type Schema } from './model/schema';

interface Props extends FieldProps {
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  /** The names that the expression can use; absent: those of the preview. */
  scope?: Readonly<Record<string, unknown>>;
}

/** A field that is code as a whole: a bare JSONata expression, a program, SQL or a command. */
export function WrittenField(props: Props) {
  const { name, schema, value, isRequired, path, errors, siblings, isLabelHidden, scope, onChange } = props;
  const preview = use(PreviewContext);
  const language = kindOf(schema) === 'code' ? programLanguage(schema, siblings) : undefined;
  // The second example of a program is in Python.
  const example = schema.examples?.[language === 'python' ? 1 : 0];
  const { 'x-scope': names } = schema;
  const common = {
    label: labelOf(name, schema),
    isLabelHidden,
    description: schema.description,
    error: errors.get(path),
    withAsterisk: isRequired,
    value: value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
    hint: example === undefined ? undefined : String(example),
    values: scope ?? (names ? Object.fromEntries(names.map((own) => [own, undefined])) : preview?.scope),
    onChange: (text: string) => onChange(text || undefined),
  };
  if (language) return <CodeInput {...common} language={language} minLines={8} />;
  return <LargeInput {...common} language="expression" check={(text) => problemIn(text, true)} />;
}

/** A program is in the language that the field beside it names. */
function programLanguage(schema: Schema, siblings: FieldProps['siblings']) {
  const { 'x-editor': editor } = schema;
  if (editor === 'sql' || editor === 'shell') return editor;
  return siblings?.['language'] === 'python' ? 'python' : 'javascript';
}
