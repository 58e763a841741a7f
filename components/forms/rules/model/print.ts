import { formOf, isPattern } from './forms';
import { writtenPattern } from './pattern';
import { isGroup, takesValue, type Operand, type Rule, type RuleGroup } from './rules';

const isCompound = (form: string) => !form.startsWith('$not(') && /(?: and | \? )/.test(form);

const written = (operand: Operand | undefined): string => {
  if (operand === undefined) return 'null';
  return 'path' in operand ? operand.path : JSON.stringify(operand.fixed ?? null);
};

/** A missing field equals null. */
const withoutNull = (rule: Rule): Rule => {
  const isNull = rule.value && 'fixed' in rule.value && (rule.value.fixed ?? null) === null;
  if (!isNull || (rule.operator !== 'eq' && rule.operator !== 'ne')) return rule;
  return { field: rule.field, operator: rule.operator === 'eq' ? 'is_null' : 'is_not_null' };
};

/** What the letters of a form stand for. */
function lettersOf({ field, operator, value, ignoreCase }: Rule): Record<string, string> {
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  if (isPattern(operator)) return { F: field, P: writtenPattern(String(fixed ?? ''), ignoreCase === true) };
  if (operator !== 'between') return { F: field, V: written(value) };
  const [low, high] = Array.isArray(fixed) ? (fixed as unknown[]) : [];
  return { F: field, V: written({ fixed: low }), W: written({ fixed: high }) };
}

function printRule(given: Rule): { text: string; isCompound: boolean } {
  const rule = withoutNull(given);
  const value = takesValue(rule.operator) ? (rule.value ?? { fixed: null }) : undefined;
  const found = formOf({ ...rule, value });
  if (!found) throw new Error(`No form of ${rule.operator}`);
  const letters = lettersOf({ ...rule, value });
  const text = found.form.replace(/\b[FVWP]\b/g, (name) => letters[name] ?? name);
  return { text, isCompound: isCompound(found.form) };
}

function printMember(member: Rule | RuleGroup): { text: string; isCompound: boolean } {
  if (!isGroup(member)) return printRule(member);
  const members = member.members.filter((inner) => !isGroup(inner) || inner.members.length > 0);
  const [only] = members;
  if (only && members.length === 1) return printMember(only);
  const texts = members.map(printMember).map(({ text, isCompound }) => (isCompound ? `(${text})` : text));
  return { text: texts.join(` ${member.join} `), isCompound: true };
}

/** Rules as JSONata; the empty text: there are none. */
export const printRules = (group: RuleGroup): string => printMember(group).text;
