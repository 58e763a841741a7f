import { use, useState } from 'react';
import type { AlternativeField, FieldControlProps } from '../model/field-props';
import { PreviewDataContext } from '../preview-context';
import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { schemaLabel } from '../model/field-schema';
import { CodeField } from '../CodeField';
import { concernsItemOnly, readStoredFilter, writeStoredFilter, type StoredFilterRules } from './model/filter-rules';
import { NotShowableNote } from './NotShowableNote';
import type { NotRulesReason } from './model/parse-rules';
import { printRuleGroup } from './model/print-rules';
import type { RuleGroup } from './model/rule-model';
import { RulesEditor } from './RulesEditor';
import { TwoModesField } from './TwoModesField';
import { EMPTY_ITEM_SCOPE, useFirstItem } from './useFirstItem';
import { useExpressionReader, type ExpressionReader } from './useExpressionReader';

const EMPTY_RULE_GROUP: RuleGroup = { join: 'and', members: [] };

function readFilterRules(
  stored: unknown,
  where: string,
  language: ExpressionLanguage,
  reader: ExpressionReader | undefined,
): RuleGroup | NotRulesReason | undefined {
  if (where === '') {
    const rules = stored === undefined ? EMPTY_RULE_GROUP : readStoredFilter(stored as StoredFilterRules, language);
    return rules ?? { reason: 'Rows can’t show one of its fields or values.' };
  }
  const rules = reader?.parseRules(where);
  if (!rules || 'reason' in rules || concernsItemOnly(rules, language)) return rules;
  return { reason: 'It compares more than fields of the item with values.' };
}

/** Rules for the items of a list, or an expression instead of them. */
export function FilterRulesField(props: FieldControlProps & { alternative: AlternativeField }) {
  const { name, schema, value, isRequired, path, errors, siblings, alternative, onChange } = props;
  const where = typeof alternative.value === 'string' ? alternative.value : '';
  const language = useExpressionLanguage();
  const reader = useExpressionReader(where !== '');
  const rules = readFilterRules(value, where, language, reader);
  const [way, setWay] = useState<boolean>();
  const item = useFirstItem(siblings?.['items']);
  const valueScope = use(PreviewDataContext)?.scope ?? EMPTY_ITEM_SCOPE;
  if (!rules) return null;
  const isExpression = way ?? 'reason' in rules;
  const canPrint = !('reason' in rules) && concernsItemOnly(rules, language);
  const change = (next: RuleGroup) => {
    const stored = writeStoredFilter(next, language);
    if (stored === undefined) alternative.onChange(printRuleGroup(next, language));
    else onChange(next.members.length > 0 ? stored : undefined);
  };
  return (
    <TwoModesField
      label={schemaLabel(name, schema)}
      description={isExpression ? alternative.schema.description : undefined}
      error={errors.get(path) ?? errors.get(alternative.path)}
      isRequired={isRequired}
      plain="Rules"
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <CodeField
          name={alternative.name}
          schema={{ ...alternative.schema, description: undefined }}
          value={where || (canPrint ? printRuleGroup(rules, language) : '')}
          isRequired={false}
          path={alternative.path}
          errors={EMPTY_FILTER_ERRORS}
          isLabelHidden
          scope={item}
          onChange={alternative.onChange}
        />
      ) : 'reason' in rules ? (
        <NotShowableNote what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
      ) : (
        <RulesEditor
          rules={rules}
          scope={item}
          valueScope={valueScope}
          path={path}
          errors={errors}
          isListed
          levels={2}
          onChange={change}
        />
      )}
    </TwoModesField>
  );
}

/** TwoModesField shows the errors of both fields. */
const EMPTY_FILTER_ERRORS: ReadonlyMap<string, string> = new Map();
