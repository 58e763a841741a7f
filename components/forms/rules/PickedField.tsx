import { use, useState } from 'react';
import { readPath } from '@/components/ui/values/path';
import type { FieldProps } from '../model/field';
import { PreviewContext } from '../preview';
import { labelOf } from '../model/schema';
import { WrittenField } from '../WrittenField';
import { FieldPicker } from './FieldPicker';
import { NotPlain } from './NotPlain';
import { TwoWays } from './TwoWays';

const NO_DATA = {};

/** An expression that is often just a field: it is picked, or written. */
export function PickedField(props: FieldProps) {
  const { name, schema, value, isRequired, path, errors, onChange } = props;
  const scope = use(PreviewContext)?.scope ?? NO_DATA;
  const [way, setWay] = useState<boolean>();
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const isPlain = text.trim() === '' || readPath(text) !== undefined;
  const isExpression = way ?? !isPlain;
  const label = labelOf(name, schema);
  const isList = schema['x-editor'] === 'list';
  return (
    <TwoWays
      label={label}
      description={isExpression ? undefined : isList ? 'The list to work on.' : undefined}
      error={isExpression ? undefined : errors.get(path)}
      isRequired={isRequired}
      plain={isList ? 'List' : 'Field'}
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <WrittenField {...props} isLabelHidden />
      ) : isPlain ? (
        <FieldPicker
          label={`${label}: field`}
          value={text.trim() || undefined}
          scope={scope}
          isList={isList}
          isInvalid={errors.has(path)}
          onPick={onChange}
        />
      ) : (
        <NotPlain
          what={isList ? 'a list' : 'a field'}
          reason="It is not just a path."
          onReset={() => onChange(undefined)}
        />
      )}
    </TwoWays>
  );
}
