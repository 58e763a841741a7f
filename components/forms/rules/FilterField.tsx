import { use, useEffect, useState } from 'react';
import type { Alternative, FieldProps } from '../model/field';
import { PreviewContext } from '../preview';
import { resolve } from '../model/resolve';
import { labelOf } from '../model/schema';
import { WrittenField } from '../WrittenField';
import { isOnItem, readStored, writeStored, type StoredRules } from './model/filter-rules';
import { NotPlain } from './NotPlain';
import { readRules, type NoRules, type Parse } from './model/parse';
import { printRules } from './model/print';
import type { RuleGroup } from './model/rules';
import { RulesEditor } from './RulesEditor';
import { TwoWays } from './TwoWays';
import { useParse } from './useParse';

const NO_DATA = {};
const NO_RULES: RuleGroup = { join: 'and', members: [] };

function rulesIn(stored: unknown, where: string, parse: Parse | undefined): RuleGroup | NoRules | undefined {
  if (where === '') {
    const rules = stored === undefined ? NO_RULES : readStored(stored as StoredRules);
    return rules ?? { reason: 'Rows can’t show one of its fields or values.' };
  }
  const rules = parse && readRules(where, parse);
  if (!rules || 'reason' in rules || isOnItem(rules)) return rules;
  return { reason: 'It compares more than fields of the item with values.' };
}

/** Rules for the items of a list, or an expression instead of them. */
export function FilterField(props: FieldProps & { alternative: Alternative }) {
  const { name, schema, value, isRequired, path, errors, siblings, alternative, onChange } = props;
  const where = typeof alternative.value === 'string' ? alternative.value : '';
  const parse = useParse(where !== '');
  const rules = rulesIn(value, where, parse);
  const [way, setWay] = useState<boolean>();
  const item = useFirstItem(siblings?.['items']);
  const valueScope = use(PreviewContext)?.scope ?? NO_DATA;
  if (!rules) return null;
  const isExpression = way ?? 'reason' in rules;
  const canPrint = !('reason' in rules) && isOnItem(rules);
  const change = (next: RuleGroup) => {
    const stored = writeStored(next);
    if (stored === undefined) alternative.onChange(printRules(next));
    else onChange(next.members.length > 0 ? stored : undefined);
  };
  return (
    <TwoWays
      label={labelOf(name, schema)}
      description={isExpression ? alternative.schema.description : undefined}
      error={errors.get(path) ?? errors.get(alternative.path)}
      isRequired={isRequired}
      plain="Rules"
      isExpression={isExpression}
      onWay={setWay}
    >
      {isExpression ? (
        <WrittenField
          name={alternative.name}
          schema={{ ...alternative.schema, description: undefined }}
          value={where || (canPrint ? printRules(rules) : '')}
          isRequired={false}
          path={alternative.path}
          errors={NO_ERRORS}
          isLabelHidden
          scope={item}
          onChange={alternative.onChange}
        />
      ) : 'reason' in rules ? (
        <NotPlain what="rules" reason={rules.reason} onReset={() => onChange(undefined)} />
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
    </TwoWays>
  );
}

/** The errors of both fields are shown by the frame. */
const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** What the names in rules and expressions on items stand for: the first item of the list, as far as it is known. */
function useFirstItem(items: unknown): Readonly<Record<string, unknown>> {
  const preview = use(PreviewContext);
  const [item, setItem] = useState<Readonly<Record<string, unknown>>>(NO_DATA);
  useEffect(() => {
    if (!preview?.hasData || typeof items !== 'string' || items.trim() === '') return setItem(NO_DATA);
    let isOver = false;
    void resolve(items, preview.scope, true).then((outcome) => {
      if (isOver) return;
      const value: unknown = 'value' in outcome ? outcome.value : undefined;
      const first: unknown = Array.isArray(value) ? value[0] : value;
      setItem(first === undefined ? NO_DATA : { item: first, index: 0 });
    });
    return () => {
      isOver = true;
    };
  }, [items, preview]);
  return item;
}
