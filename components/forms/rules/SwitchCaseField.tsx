import { useState } from 'react';
import type { AlternativeField, FieldControlProps } from '../model/field-props';
import { schemaLabel } from '../model/field-schema';
import { ConditionField } from './ConditionField';
import { TwoModesField } from './TwoModesField';
import { TypedValueField } from './TypedValueField';

/** `{{ a > 1 }}` → `a > 1`. The condition of a case is a template, because the fields of lists are. */
const withoutBraces = (value: unknown): unknown =>
  typeof value === 'string' ? (/^\s*\{\{([^]*)\}\}\s*$/.exec(value)?.[1]?.trim() ?? value) : value;

/** When a case of a switch matches: a value that is compared, or rules in place of it. */
export function SwitchCaseField(props: FieldControlProps & { alternative: AlternativeField }) {
  const { name, schema, value, alternative } = props;
  const [way, setWay] = useState<boolean>();
  const isRules = way ?? (value === undefined && alternative.value !== undefined);
  if (isRules)
    return (
      <ConditionField
        name={alternative.name}
        schema={{ ...alternative.schema, description: undefined }}
        value={withoutBraces(alternative.value)}
        isRequired={false}
        path={alternative.path}
        errors={props.errors}
        other={{ name: 'Value', onPick: () => setWay(false) }}
        onChange={(next) => alternative.onChange(next === undefined ? undefined : `{{ ${String(next)} }}`)}
      />
    );
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      isRequired={false}
      plain="Value"
      written="Rules"
      isExpression={false}
      onWay={setWay}
    >
      <TypedValueField {...props} isLabelHidden />
    </TwoModesField>
  );
}
