import type { RuleDraft } from './operators';
import { isGroup, takesValue, type Rule, type RuleGroup } from './rules';

/** Rules while they are edited: some may be incomplete. */
export interface GroupDraft {
  join: RuleGroup['join'];
  members: (RuleDraft | GroupDraft)[];
}

export const isGroupDraft = (member: RuleDraft | GroupDraft): member is GroupDraft => 'join' in member;

export const isComplete = ({ field, operator, value }: RuleDraft): boolean =>
  field !== undefined && (!takesValue(operator) || value !== undefined);

/** The complete rules of a draft. */
export function completeRules({ join, members }: GroupDraft): RuleGroup {
  return {
    join,
    members: members.flatMap((member): (Rule | RuleGroup)[] => {
      if (isGroupDraft(member)) {
        const inner = completeRules(member);
        return inner.members.length > 0 ? [inner] : [];
      }
      const { field, operator, value } = member;
      return field !== undefined && isComplete(member) ? [{ field, operator, ...(value && { value }) }] : [];
    }),
  };
}

/** A draft of stored rules. A stored rule is a draft already. */
export const draftOf = ({ join, members }: RuleGroup): GroupDraft => ({
  join,
  members: members.map((member) => (isGroup(member) ? draftOf(member) : member)),
});

export const EMPTY_RULE: RuleDraft = { operator: 'eq' };
