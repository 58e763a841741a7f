import { useState } from 'react';
import type { Alternative, FieldProps } from '../model/field';
import { labelOf } from '../model/schema';
import { ConditionField } from './ConditionField';
import { TwoWays } from './TwoWays';
import { TypedField } from './TypedField';

/** `{{ a > 1 }}` → `a > 1`. The condition of a case is a template, because the fields of lists are. */
const bare = (value: unknown): unknown =>
  typeof value === 'string' ? (/^\s*\{\{([^]*)\}\}\s*$/.exec(value)?.[1]?.trim() ?? value) : value;

/** When a case of a switch matches: a value that is compared, or rules in place of it. */
export function CaseField(props: FieldProps & { alternative: Alternative }) {
  const { name, schema, value, alternative } = props;
  const [way, setWay] = useState<boolean>();
  const isRules = way ?? (value === undefined && alternative.value !== undefined);
  if (isRules)
    return (
      <ConditionField
        name={alternative.name}
        schema={{ ...alternative.schema, description: undefined }}
        value={bare(alternative.value)}
        isRequired={false}
        path={alternative.path}
        errors={props.errors}
        other={{ name: 'Value', onPick: () => setWay(false) }}
        onChange={(next) => alternative.onChange(next === undefined ? undefined : `{{ ${String(next)} }}`)}
      />
    );
  return (
    <TwoWays
      label={labelOf(name, schema)}
      isRequired={false}
      plain="Value"
      written="Rules"
      isExpression={false}
      onWay={setWay}
    >
      <TypedField {...props} isLabelHidden />
    </TwoWays>
  );
}
