import { use } from 'react';
import { CodeInput } from '@/components/code/CodeInput';
import type { FieldProps } from './field';
import { PreviewContext } from './preview';
import { problemIn } from './resolve';
import { kindOf, labelOf, type Schema } from './schema';

/** A field that is code as a whole: a bare JSONata expression, JavaScript or SQL. */
export function WrittenField({ name, schema, value, isRequired, path, errors, onChange }: FieldProps) {
  const preview = use(PreviewContext);
  const isProgram = kindOf(schema) === 'code';
  const [example] = schema.examples ?? [];
  return (
    <CodeInput
      label={labelOf(name, schema)}
      description={schema.description}
      error={errors.get(path)}
      withAsterisk={isRequired}
      value={value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value)}
      language={isProgram ? programLanguage(schema) : 'expression'}
      minLines={isProgram ? 8 : 1}
      hint={example === undefined ? undefined : String(example)}
      values={preview?.scope}
      check={isProgram ? undefined : (text) => problemIn(text, true)}
      onChange={(text) => onChange(text || undefined)}
    />
  );
}

const programLanguage = (schema: Schema) => (schema['x-editor'] === 'sql' ? 'sql' : 'javascript');
