import { findWritingForm, isPatternOperator } from './rule-forms';
import { printRegexLiteral } from './regex-pattern';
import { isRuleGroup, needsOperand, type RuleOperand, type ComparisonRule, type RuleGroup } from './rule-model';

const isCompoundForm = (form: string) => !form.startsWith('$not(') && /(?: and | \? )/.test(form);

const printOperand = (operand: RuleOperand | undefined): string => {
  if (operand === undefined) return 'null';
  return 'path' in operand ? operand.path : JSON.stringify(operand.fixed ?? null);
};

/** A missing field equals null. */
const replaceNullComparison = (rule: ComparisonRule): ComparisonRule => {
  const isNull = rule.value && 'fixed' in rule.value && (rule.value.fixed ?? null) === null;
  if (!isNull || (rule.operator !== 'eq' && rule.operator !== 'ne')) return rule;
  return { field: rule.field, operator: rule.operator === 'eq' ? 'is_null' : 'is_not_null' };
};

/** The texts that replace the letters of a form. */
function formLetterTexts({ field, operator, value, ignoreCase }: ComparisonRule): Record<string, string> {
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  if (isPatternOperator(operator)) return { F: field, P: printRegexLiteral(String(fixed ?? ''), ignoreCase === true) };
  if (operator !== 'between') return { F: field, V: printOperand(value) };
  const [low, high] = Array.isArray(fixed) ? (fixed as unknown[]) : [];
  return { F: field, V: printOperand({ fixed: low }), W: printOperand({ fixed: high }) };
}

function printSingleRule(given: ComparisonRule): { text: string; isCompound: boolean } {
  const rule = replaceNullComparison(given);
  const value = needsOperand(rule.operator) ? (rule.value ?? { fixed: null }) : undefined;
  const found = findWritingForm({ ...rule, value });
  if (!found) throw new Error(`No form of ${rule.operator}`);
  const letters = formLetterTexts({ ...rule, value });
  const text = found.form.replace(/\b[FVWP]\b/g, (name) => letters[name] ?? name);
  return { text, isCompound: isCompoundForm(found.form) };
}

function printRuleMember(member: ComparisonRule | RuleGroup): { text: string; isCompound: boolean } {
  if (!isRuleGroup(member)) return printSingleRule(member);
  const members = member.members.filter((inner) => !isRuleGroup(inner) || inner.members.length > 0);
  const [only] = members;
  if (only && members.length === 1) return printRuleMember(only);
  const texts = members.map(printRuleMember).map(({ text, isCompound }) => (isCompound ? `(${text})` : text));
  return { text: texts.join(` ${member.join} `), isCompound: true };
}

/** Rules as JSONata; the empty text: there are none. */
export const printRuleGroup = (group: RuleGroup): string => printRuleMember(group).text;
