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
  const { name, schema, value, errors, alternative } = props;
  const [way, setWay] = useState<boolean>();
  const isRules = way ?? (value === undefined && alternative.value !== undefined);
  const label = labelOf(name, schema);
  return (
    <TwoWays
      label={isRules ? labelOf(alternative.name, alternative.schema) : label}
      error={isRules ? errors.get(alternative.path) : undefined}
      isRequired={false}
      plain="Value"
      written="Rules"
      isExpression={isRules}
      onWay={setWay}
    >
      {isRules ? (
        <ConditionField
          name={alternative.name}
          schema={{ title: 'Rules' }}
          value={bare(alternative.value)}
          isRequired={false}
          path={alternative.path}
          errors={NO_ERRORS}
          onChange={(next) => alternative.onChange(next === undefined ? undefined : `{{ ${String(next)} }}`)}
        />
      ) : (
        <TypedField {...props} isLabelHidden />
      )}
    </TwoWays>
  );
}

/** The frame shows them. */
const NO_ERRORS: ReadonlyMap<string, string> = new Map();
