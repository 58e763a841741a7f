import type { ExpressionLanguage } from '@/contract/workflows/expression-language';
import { parseJavascriptPath, printJavascriptPath } from '@/components/ui/values/javascript-path';
import { JAVASCRIPT_RULE_FORMS } from './javascript-rule-forms';
import { findWritingForm, isPatternOperator, JSONATA_RULE_FORMS, type LanguageRuleForm } from './rule-forms';
import { printRegexLiteral } from './regex-pattern';
import { isRuleGroup, needsOperand, type RuleOperand, type ComparisonRule, type RuleGroup } from './rule-model';

/** How rules are written in a language. */
interface RuleWriting {
  forms: readonly LanguageRuleForm[];
  joins: Record<RuleGroup['join'], string>;
  /** The beginning of a form whose parentheses are around all of it. */
  negation: string;
  /** A path as rules read it: a missing field is no failure. */
  printPath(path: string): string;
}

const RULE_WRITINGS: Record<ExpressionLanguage, RuleWriting> = {
  jsonata: {
    forms: JSONATA_RULE_FORMS,
    joins: { and: 'and', or: 'or' },
    negation: '$not(',
    printPath: (path) => path,
  },
  javascript: {
    forms: JAVASCRIPT_RULE_FORMS,
    joins: { and: '&&', or: '||' },
    negation: '!(',
    printPath: (path) => printJavascriptPath(parseJavascriptPath(path) ?? [], undefined, true) ?? path,
  },
};

const isCompoundForm = (form: string, { negation }: RuleWriting) =>
  !form.startsWith(negation) && / (?:and|or|&&|\|\||\?) /.test(form);

const printOperand = (operand: RuleOperand | undefined, { printPath }: RuleWriting): string => {
  if (operand === undefined) return 'null';
  return 'path' in operand ? printPath(operand.path) : JSON.stringify(operand.fixed ?? null);
};

/** A missing field equals null. */
const replaceNullComparison = (rule: ComparisonRule): ComparisonRule => {
  const isNull = rule.value && 'fixed' in rule.value && (rule.value.fixed ?? null) === null;
  if (!isNull || (rule.operator !== 'eq' && rule.operator !== 'ne')) return rule;
  return { field: rule.field, operator: rule.operator === 'eq' ? 'is_null' : 'is_not_null' };
};

/** The texts that replace the letters of a form. */
function formLetterTexts(
  { field: path, operator, value, ignoreCase }: ComparisonRule,
  writing: RuleWriting,
): Record<string, string> {
  const field = writing.printPath(path);
  const fixed = value && 'fixed' in value ? value.fixed : undefined;
  if (isPatternOperator(operator)) return { F: field, P: printRegexLiteral(String(fixed ?? ''), ignoreCase === true) };
  if (operator !== 'between') return { F: field, V: printOperand(value, writing) };
  const [low, high] = Array.isArray(fixed) ? (fixed as unknown[]) : [];
  return { F: field, V: printOperand({ fixed: low }, writing), W: printOperand({ fixed: high }, writing) };
}

function printSingleRule(given: ComparisonRule, writing: RuleWriting): { text: string; isCompound: boolean } {
  const rule = replaceNullComparison(given);
  const value = needsOperand(rule.operator) ? (rule.value ?? { fixed: null }) : undefined;
  const found = findWritingForm({ ...rule, value }, writing.forms);
  if (!found) throw new Error(`No form of ${rule.operator}`);
  const letters = formLetterTexts({ ...rule, value }, writing);
  const text = found.form.replace(/\b[FVWP]\b/g, (name) => letters[name] ?? name);
  return { text, isCompound: isCompoundForm(found.form, writing) };
}

function printRuleMember(
  member: ComparisonRule | RuleGroup,
  writing: RuleWriting,
): { text: string; isCompound: boolean } {
  if (!isRuleGroup(member)) return printSingleRule(member, writing);
  const members = member.members.filter((inner) => !isRuleGroup(inner) || inner.members.length > 0);
  const [only] = members;
  if (only && members.length === 1) return printRuleMember(only, writing);
  const texts = members
    .map((inner) => printRuleMember(inner, writing))
    .map(({ text, isCompound }) => (isCompound ? `(${text})` : text));
  return { text: texts.join(` ${writing.joins[member.join]} `), isCompound: true };
}

/** Rules as an expression; the empty text: there are none. Their paths are in the same language. */
export const printRuleGroup = (group: RuleGroup, language: ExpressionLanguage = 'jsonata'): string =>
  printRuleMember(group, RULE_WRITINGS[language]).text;
