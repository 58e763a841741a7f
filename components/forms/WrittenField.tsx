import { use } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import type { FieldProps } from './field';
import { PreviewContext } from './preview';
import { problemIn } from './resolve';
import { kindOf, labelOf, type Schema } from './schema';

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
  return (
    <CodeInput
      label={labelOf(name, schema)}
      isLabelHidden={isLabelHidden}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      value={value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
      language={isProgram ? programLanguage(schema) : 'expression'}
      minLines={isProgram ? 8 : 1}
      hint={example === undefined ? undefined : String(example)}
      values={scope ?? (names ? Object.fromEntries(names.map((own) => [own, undefined])) : preview?.scope)}
      check={isProgram ? undefined : (text) => problemIn(text, true)}
      onChange={(text) => onChange(text || undefined)}
    />
  );
}

const programLanguage = (schema: Schema) => (schema['x-editor'] === 'sql' ? 'sql' : 'javascript');
