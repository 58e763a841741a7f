import { findWritingForm, isPatternOperator } from './rule-forms';
import type { ComparisonRuleDraft } from './operator-choices';
import { regexPatternProblem } from './regex-pattern';
import { isRuleGroup, needsOperand, type ComparisonRule, type RuleGroup } from './rule-model';

/** Rules while they are edited: some may be incomplete. */
export interface RuleGroupDraft {
  join: RuleGroup['join'];
  members: (ComparisonRuleDraft | RuleGroupDraft)[];
}

export const isRuleGroupDraft = (member: ComparisonRuleDraft | RuleGroupDraft): member is RuleGroupDraft =>
  'join' in member;

/** Whether a rule has a field and a value that it can be written with. */
export function isCompleteRule({ field, operator, value, ignoreCase }: ComparisonRuleDraft): boolean {
  if (field === undefined) return false;
  if (!needsOperand(operator)) return true;
  if (!value || !findWritingForm({ field, operator, value, ignoreCase })) return false;
  return !isPatternOperator(operator) || ('fixed' in value && regexPatternProblem(String(value.fixed)) === undefined);
}

/** The complete rules of a draft. */
export function dropIncompleteRules({ join, members }: RuleGroupDraft): RuleGroup {
  return {
    join,
    members: members.flatMap((member): (ComparisonRule | RuleGroup)[] => {
      if (isRuleGroupDraft(member)) {
        const inner = dropIncompleteRules(member);
        return inner.members.length > 0 ? [inner] : [];
      }
      const { field, operator, value, ignoreCase } = member;
      return field !== undefined && isCompleteRule(member)
        ? [{ field, operator, ...(value && { value }), ...(ignoreCase && { ignoreCase }) }]
        : [];
    }),
  };
}

/** A draft of stored rules. A stored rule is a draft already. */
export const draftFromRules = ({ join, members }: RuleGroup): RuleGroupDraft => ({
  join,
  members: members.map((member) => (isRuleGroup(member) ? draftFromRules(member) : member)),
});

export const EMPTY_RULE_DRAFT: ComparisonRuleDraft = { operator: 'eq' };
