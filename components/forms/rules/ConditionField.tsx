import { use, useState } from 'react';
import type { FieldProps } from '../model/field';
import { PreviewContext } from '../preview';
import { labelOf } from '../model/schema';
import { WrittenField } from '../WrittenField';
import { NotPlain } from './NotPlain';
import { readRules } from './model/parse';
import { printRules } from './model/print';
import type { RuleGroup } from './model/rules';
import { RulesEditor } from './RulesEditor';
import { TwoWays } from './TwoWays';
import { useParse } from './useParse';

interface Props extends FieldProps {
  /** What can be in place of a condition. */
  other?: { name: string; onPick(): void };
}

/** A condition, edited as rows of rules or as an expression. Its value is the expression. */
export function ConditionField(props: Props) {
  const { name, schema, value, isRequired, path, errors, other, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  // The rules that made the text are known without reading it.
  const [own, setOwn] = useState<RuleGroup>({ join: 'and', members: [] });
  const isOwn = printRules(own) === text;
  const parse = useParse(!isOwn);
  const rules = isOwn ? own : parse && readRules(text, parse);
  const [way, setWay] = useState<boolean>();
  if (!rules) return null;
  const isExpression = way ?? 'reason' in rules;
  return (
    <TwoWays
      label={labelOf(name, schema)}
      error={isExpression ? undefined : errors.get(path)}
      isRequired={isRequired}
      plain="Rules"
      other={other}
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <WrittenField {...props} isLabelHidden />
      ) : 'reason' in rules ? (
        <NotPlain what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
      ) : (
        <ConditionRules
          rules={rules}
          names={schema['x-scope']}
          onChange={(next) => {
            setOwn(next);
            onChange(printRules(next) || undefined);
          }}
        />
      )}
    </TwoWays>
  );
}

const NO_DATA = {};

interface RulesProps {
  rules: RuleGroup;
  /** The names that the expression may use instead of the usual ones. */
  names: string[] | undefined;
  onChange(rules: RuleGroup): void;
}

function ConditionRules({ rules, names, onChange }: RulesProps) {
  const known: Readonly<Record<string, unknown>> = use(PreviewContext)?.scope ?? NO_DATA;
  const scope = names ? Object.fromEntries(names.map((name) => [name, known[name]])) : known;
  return <RulesEditor rules={rules} scope={scope} valueScope={scope} onChange={onChange} />;
}
