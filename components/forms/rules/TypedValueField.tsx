import { Input } from '@mantine/core';
import { useState } from 'react';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import classes from './Rules.module.css';
import {
  ValueKindSelect,
  detectValueKind,
  convertToKind,
  TypedValueInput,
  type AssignedValueKind,
} from './TypedValueInput';

const LITERAL_VALUE_KINDS: readonly AssignedValueKind[] = ['text', 'number', 'boolean', 'json'];
const EMPTY_TYPED_SCOPE = {};

/** A fixed value of any type, such as that of a case. Its type is chosen, because texts and numbers are not equal. */
export function TypedValueField({
  name,
  schema,
  value,
  path,
  errors,
  isLabelHidden,
  onChange,
}: FieldControlProps & { isLabelHidden?: boolean }) {
  const language = useExpressionLanguage();
  const [chosen, setChosen] = useState<AssignedValueKind>();
  const known = detectValueKind(value, language);
  const kind = known === undefined ? (chosen ?? 'text') : known === 'field' ? 'text' : known;
  const label = schemaLabel(name, schema);
  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      labelElement="div"
      description={schema.description}
      error={errors.get(path)}
    >
      <div className={classes.typed}>
        <TypedValueInput
          key={kind}
          label={label}
          kind={kind}
          value={value}
          scope={EMPTY_TYPED_SCOPE}
          onChange={onChange}
        />
        <ValueKindSelect
          label={`Type of ${label.toLowerCase()}`}
          kind={kind}
          kinds={LITERAL_VALUE_KINDS}
          onChange={(next) => {
            setChosen(next);
            const same = convertToKind(value, next, language);
            onChange(detectValueKind(same, language) === next ? same : undefined);
          }}
        />
      </div>
    </Input.Wrapper>
  );
}
