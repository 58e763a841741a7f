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

/** A field that is code as a whole: a bare JSONata expression, JavaScript or SQL. */
export function WrittenField({ name, schema, value, isRequired, path, errors, isLabelHidden, scope, onChange }: Props) {
  const preview = use(PreviewContext);
  const isProgram = kindOf(schema) === 'code';
  const [example] = schema.examples ?? [];
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
  if (isProgram) return <CodeInput {...common} language={programLanguage(schema)} minLines={8} />;
  return <LargeInput {...common} language="expression" check={(text) => problemIn(text, true)} />;
}

const programLanguage = (schema: Schema) => (schema['x-editor'] === 'sql' ? 'sql' : 'javascript');
