import type { OPERATORS } from '@/contract/workflows/rule-operators';

export type Operator = (typeof OPERATORS)[number];

/** What a field is compared with: a fixed JSON value, or another field. */
export type Operand = { fixed: unknown } | { path: string };

/** One comparison. Paths are paths of JSONata, such as `input.customer.name`. */
export interface Rule {
  field: string;
  operator: Operator;
  /** Undefined for operators without a value. Of `between`: a list of two fixed values. Of `matches`: a regular expression. */
  value?: Operand;
  /** For texts. */
  ignoreCase?: true;
}

/** Rules of which all (`and`) or any (`or`) must hold. */
export interface RuleGroup {
  join: 'and' | 'or';
  members: (Rule | RuleGroup)[];
}

export const isGroup = (member: Rule | RuleGroup): member is RuleGroup => 'join' in member;

const UNARY: readonly Operator[] = ['is_null', 'is_not_null', 'is_empty', 'is_not_empty'];

export const takesValue = (operator: Operator): boolean => !UNARY.includes(operator);
