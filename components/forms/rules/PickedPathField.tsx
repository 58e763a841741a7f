import { use, useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { parseExpressionPath } from '@/components/ui/values/expression-path';
import type { FieldControlProps } from '../model/field-props';
import { PreviewDataContext } from '../preview-context';
import { schemaLabel } from '../model/field-schema';
import { CodeField } from '../CodeField';
import { DataFieldPicker } from './DataFieldPicker';
import { NotShowableNote } from './NotShowableNote';
import { TwoModesField } from './TwoModesField';

const EMPTY_PICKER_SCOPE = {};

/** An expression that is often just a field: it is picked, or written. `hint`: why nothing is picked yet. */
export function PickedPathField(props: FieldControlProps & { hint?: string }) {
  const { name, schema, value, isRequired, path, errors, hint, onChange } = props;
  const scope = use(PreviewDataContext)?.scope ?? EMPTY_PICKER_SCOPE;
  const language = useExpressionLanguage();
  const [way, setWay] = useState<boolean>();
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const isPlain = text.trim() === '' || parseExpressionPath(text, language) !== undefined;
  const isExpression = way ?? !isPlain;
  const label = schemaLabel(name, schema);
  const isList = schema['x-editor'] === 'list';
  return (
    <TwoModesField
      label={label}
      description={isExpression ? undefined : (hint ?? (isList ? 'The list to work on.' : undefined))}
      error={isExpression ? undefined : errors.get(path)}
      isRequired={isRequired}
      plain={isList ? 'List' : 'Field'}
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <CodeField {...props} isLabelHidden />
      ) : isPlain ? (
        <DataFieldPicker
          label={`${label}: field`}
          value={text.trim() || undefined}
          scope={scope}
          isList={isList}
          isInvalid={errors.has(path)}
          onPick={onChange}
        />
      ) : (
        <NotShowableNote
          what={isList ? 'a list' : 'a field'}
          reason="It is not just a path."
          onReset={() => onChange(undefined)}
        />
      )}
    </TwoModesField>
  );
}
