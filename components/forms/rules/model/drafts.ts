import { formOf, isPattern } from './forms';
import type { RuleDraft } from './operators';
import { patternFault } from './pattern';
import { isGroup, takesValue, type Rule, type RuleGroup } from './rules';

/** Rules while they are edited: some may be incomplete. */
export interface GroupDraft {
  join: RuleGroup['join'];
  members: (RuleDraft | GroupDraft)[];
}

export const isGroupDraft = (member: RuleDraft | GroupDraft): member is GroupDraft => 'join' in member;

/** Whether a rule has a field and a value that it can be written with. */
export function isComplete({ field, operator, value, ignoreCase }: RuleDraft): boolean {
  if (field === undefined) return false;
  if (!takesValue(operator)) return true;
  if (!value || !formOf({ field, operator, value, ignoreCase })) return false;
  return !isPattern(operator) || ('fixed' in value && patternFault(String(value.fixed)) === undefined);
}

/** The complete rules of a draft. */
export function completeRules({ join, members }: GroupDraft): RuleGroup {
  return {
    join,
    members: members.flatMap((member): (Rule | RuleGroup)[] => {
      if (isGroupDraft(member)) {
        const inner = completeRules(member);
        return inner.members.length > 0 ? [inner] : [];
      }
      const { field, operator, value, ignoreCase } = member;
      return field !== undefined && isComplete(member)
        ? [{ field, operator, ...(value && { value }), ...(ignoreCase && { ignoreCase }) }]
        : [];
    }),
  };
}

/** A draft of stored rules. A stored rule is a draft already. */
export const draftOf = ({ join, members }: RuleGroup): GroupDraft => ({
  join,
  members: members.map((member) => (isGroup(member) ? draftOf(member) : member)),
});

export const EMPTY_RULE: RuleDraft = { operator: 'eq' };
