import { use, useState } from 'react';
import type { FieldControlProps } from '../model/field-props';
import { PreviewDataContext } from '../preview-context';
import { schemaLabel } from '../model/field-schema';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { CodeField } from '../CodeField';
import { NotShowableNote } from './NotShowableNote';
import { printRuleGroup } from './model/print-rules';
import type { RuleGroup } from './model/rule-model';
import { RulesEditor } from './RulesEditor';
import { TwoModesField } from './TwoModesField';
import { useExpressionReader } from './useExpressionReader';

interface Props extends FieldControlProps {
  /** The kind of value that can replace the condition. */
  other?: { name: string; onPick(): void };
}

/** A condition, edited as rows of rules or as an expression. Its value is the expression. */
export function ConditionField(props: Props) {
  const { name, schema, value, isRequired, path, errors, other, onChange } = props;
  const text = typeof value === 'string' ? value : '';
  const language = useExpressionLanguage();
  // The rules that made the text are known without reading it.
  const [own, setOwn] = useState<RuleGroup>({ join: 'and', members: [] });
  const isOwn = printRuleGroup(own, language) === text;
  const reader = useExpressionReader(!isOwn);
  const rules = isOwn ? own : reader?.parseRules(text);
  const [way, setWay] = useState<boolean>();
  if (!rules) return null;
  const isExpression = way ?? 'reason' in rules;
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      error={isExpression ? undefined : errors.get(path)}
      isRequired={isRequired}
      plain="Rules"
      other={other}
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <CodeField {...props} isLabelHidden />
      ) : 'reason' in rules ? (
        <NotShowableNote what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
      ) : (
        <ConditionRules
          rules={rules}
          names={schema['x-scope']}
          onChange={(next) => {
            setOwn(next);
            onChange(printRuleGroup(next, language) || undefined);
          }}
        />
      )}
    </TwoModesField>
  );
}

const EMPTY_CONDITION_SCOPE = {};

interface ConditionRulesProps {
  rules: RuleGroup;
  /** The names that the expression may use instead of the usual ones. */
  names: string[] | undefined;
  onChange(rules: RuleGroup): void;
}

function ConditionRules({ rules, names, onChange }: ConditionRulesProps) {
  const known: Readonly<Record<string, unknown>> = use(PreviewDataContext)?.scope ?? EMPTY_CONDITION_SCOPE;
  const scope = names ? Object.fromEntries(names.map((name) => [name, known[name]])) : known;
  return <RulesEditor rules={rules} scope={scope} valueScope={scope} onChange={onChange} />;
}
