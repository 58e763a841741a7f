import type { RULE_OPERATORS } from '@/contract/workflows/rule-operators';

export type RuleOperator = (typeof RULE_OPERATORS)[number];

/** The right side of a comparison: a fixed JSON value, or another field. */
export type RuleOperand = { fixed: unknown } | { path: string };

/** One comparison. Paths are paths of JSONata, such as `input.customer.name`. */
export interface ComparisonRule {
  field: string;
  operator: RuleOperator;
  /**
   * Undefined for operators without a value. `between` has a list of two fixed values, and `matches` a regular
   * expression.
   */
  value?: RuleOperand;
  /** Capital and small letters of texts are equal. */
  ignoreCase?: true;
}

/** Rules of which all (`and`) or any (`or`) must hold. */
export interface RuleGroup {
  join: 'and' | 'or';
  members: (ComparisonRule | RuleGroup)[];
}

export const isRuleGroup = (member: ComparisonRule | RuleGroup): member is RuleGroup => 'join' in member;

const UNARY_OPERATORS: readonly RuleOperator[] = ['is_null', 'is_not_null', 'is_empty', 'is_not_empty'];

export const needsOperand = (operator: RuleOperator): boolean => !UNARY_OPERATORS.includes(operator);
