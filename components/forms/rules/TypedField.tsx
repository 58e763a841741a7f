import { Input } from '@mantine/core';
import { useState } from 'react';
import type { FieldProps } from '../model/field';
import { labelOf } from '../model/schema';
import classes from './Rules.module.css';
import { KindSelect, kindOfValue, ofKind, TypedValue, type ValueKind } from './TypedValue';

const KINDS: readonly ValueKind[] = ['text', 'number', 'boolean', 'json'];
const NO_DATA = {};

/** A fixed value of any type, such as that of a case. Its type is chosen, because texts and numbers are not equal. */
export function TypedField({
  name,
  schema,
  value,
  path,
  errors,
  isLabelHidden,
  onChange,
}: FieldProps & { isLabelHidden?: boolean }) {
  const [chosen, setChosen] = useState<ValueKind>();
  const known = kindOfValue(value);
  const kind = known === undefined ? (chosen ?? 'text') : known === 'field' ? 'text' : known;
  const label = labelOf(name, schema);
  return (
    <Input.Wrapper
      label={isLabelHidden ? undefined : label}
      labelElement="div"
      description={schema.description}
      error={errors.get(path)}
    >
      <div className={classes.typed}>
        <TypedValue key={kind} label={label} kind={kind} value={value} scope={NO_DATA} onChange={onChange} />
        <KindSelect
          label={`Type of ${label.toLowerCase()}`}
          kind={kind}
          kinds={KINDS}
          onChange={(next) => {
            setChosen(next);
            const same = ofKind(value, next);
            onChange(kindOfValue(same) === next ? same : undefined);
          }}
        />
      </div>
    </Input.Wrapper>
  );
}
