import { use } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { FieldControlProps } from './model/field-props';
import { ExpressionInput } from './large/ExpressionInput';
import { PreviewDataContext } from './preview-context';
import { findSyntaxProblem } from './model/preview-expression';
import { fieldControlKind, schemaLabel, type FieldSchema } from './model/field-schema';

interface Props extends FieldControlProps {
  /** The label is for screen readers only. */
  isLabelHidden?: boolean;
  /** The names that the expression can use; absent: those of the preview. */
  scope?: Readonly<Record<string, unknown>>;
}

/** A field that is code as a whole: a bare expression, a program, SQL or a command. */
export function CodeField(props: Props) {
  const { name, schema, value, isRequired, path, errors, siblings, isLabelHidden, scope, onChange } = props;
  const preview = use(PreviewDataContext);
  const expressions = useExpressionLanguage();
  const language = fieldControlKind(schema) === 'code' ? fieldCodeLanguage(schema, siblings) : undefined;
  // The second example of a program is in Python.
  const example = schema.examples?.[language === 'python' ? 1 : 0];
  const { 'x-scope': names } = schema;
  const common = {
    label: schemaLabel(name, schema),
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
  return (
    <ExpressionInput {...common} language="expression" check={(text) => findSyntaxProblem(text, true, expressions)} />
  );
}

/** A program is in the language that the field beside it names. */
function fieldCodeLanguage(schema: FieldSchema, siblings: FieldControlProps['siblings']) {
  const { 'x-editor': editor } = schema;
  if (editor === 'sql' || editor === 'shell') return editor;
  return siblings?.['language'] === 'python' ? 'python' : 'javascript';
}
