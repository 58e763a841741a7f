import { Group, SegmentedControl, Stack } from '@mantine/core';
import { AddRowButton } from '../RowButtons';
import { useState } from 'react';
import {
  dropIncompleteRules,
  draftFromRules,
  EMPTY_RULE_DRAFT,
  isCompleteRule,
  isRuleGroupDraft,
  type RuleGroupDraft,
} from './model/rule-drafts';
import type { ComparisonRuleDraft } from './model/operator-choices';
import { printRuleGroup } from './model/print-rules';
import { MAX_GROUP_LEVELS } from './model/parse-rules';
import { RuleEditorRow, type RuleEditorScope } from './RuleEditorRow';
import type { RuleGroup } from './model/rule-model';
import classes from './Rules.module.css';

/** The errors of rules, by path. */
interface RuleErrorMap {
  /** The path of the rules; absent: they are one expression. */
  path?: string;
  errors?: ReadonlyMap<string, string>;
}

interface Props extends RuleEditorScope, RuleErrorMap {
  rules: RuleGroup;
  /** Rules of which all must match are a plain list: `rules[0]` in place of `rules.and[0]`. */
  isListed?: boolean;
  /** Levels of groups, the outermost one included. */
  levels?: number;
  /** Receives the complete rules. */
  onChange(rules: RuleGroup): void;
}

/** Rules as rows, with groups in them. Incomplete rows stay in the editor and are not part of the value. */
export function RulesEditor({
  rules,
  path,
  errors,
  isListed = false,
  levels = MAX_GROUP_LEVELS,
  onChange,
  ...scope
}: Props) {
  const [draft, setDraft] = useState<RuleGroupDraft>(() => draftFromRules(rules));
  const isCurrent = printRuleGroup(dropIncompleteRules(draft)) === printRuleGroup(rules);
  const shown = isCurrent ? draft : draftFromRules(rules);
  const change = (next: RuleGroupDraft) => {
    setDraft(next);
    onChange(dropIncompleteRules(next));
  };
  const group = shown.members.length > 0 ? shown : NEW_RULE_GROUP;
  const at = path !== undefined && !(isListed && group.join === 'and') ? `${path}.${group.join}` : path;
  return (
    <RuleGroupRows group={group} number="" levels={levels} scope={scope} path={at} errors={errors} onChange={change} />
  );
}

const NEW_RULE_GROUP: RuleGroupDraft = { join: 'and', members: [EMPTY_RULE_DRAFT] };

/** `path` leads to the list of members. */
interface RuleGroupRowsProps extends RuleErrorMap {
  group: RuleGroupDraft;
  /** The number of the group. The outermost one has the empty text. */
  number: string;
  /** The remaining levels of groups, this one included. */
  levels: number;
  scope: RuleEditorScope;
  onChange(group: RuleGroupDraft): void;
  onRemove?(): void;
}

function RuleGroupRows({ group, number, levels, scope, path, errors, onChange, onRemove }: RuleGroupRowsProps) {
  const { join, members } = group;
  const change = (next: RuleGroupDraft['members']) => {
    if (next.length === 0 && onRemove) onRemove();
    else onChange({ ...group, members: next });
  };
  const put = (index: number, member: ComparisonRuleDraft | RuleGroupDraft) =>
    change(members.map((old, at) => (at === index ? member : old)));
  const remove = (index: number) => change(members.filter((_, at) => at !== index));
  const hasIncomplete = members.some((member) => !isRuleGroupDraft(member) && !isCompleteRule(member) && member.field);
  return (
    <Stack gap={8} role="group" aria-label={number ? `Group ${number}` : 'Rules'}>
      {members.length > 1 && (
        <JoinSelect number={number} join={join} onChange={(next) => onChange({ ...group, join: next })} />
      )}
      {members.map((member, index) => {
        const at = number ? `${number}.${index + 1}` : String(index + 1);
        const own = path === undefined ? undefined : `${path}[${index}]`;
        return isRuleGroupDraft(member) ? (
          <div key={index} className={classes.group}>
            <RuleGroupRows
              group={member}
              number={at}
              levels={levels - 1}
              scope={scope}
              path={own && `${own}.${member.join}`}
              errors={errors}
              onChange={(next) => put(index, next)}
              onRemove={() => remove(index)}
            />
          </div>
        ) : (
          <RuleEditorRow
            key={index}
            number={at}
            rule={member}
            path={own}
            error={own && findRuleError(errors, own)}
            {...scope}
            onChange={(next) => put(index, next)}
            onRemove={() => remove(index)}
          />
        );
      })}
      {hasIncomplete && <span className={classes.join}>A rule without a value is ignored.</span>}
      <Group gap={6}>
        <AddRowButton label="Add rule" onClick={() => change([...members, EMPTY_RULE_DRAFT])} />
        {levels > 1 && (
          <AddRowButton
            label="Add group"
            onClick={() => {
              const other = join === 'and' ? 'or' : 'and';
              change([...members, { join: other, members: [EMPTY_RULE_DRAFT, EMPTY_RULE_DRAFT] }]);
            }}
          />
        )}
      </Group>
    </Stack>
  );
}

/** The first message about a rule or a part of it. */
const findRuleError = (errors: RuleErrorMap['errors'], path: string): string | undefined =>
  [...(errors ?? [])].find(([field]) => field === path || field.startsWith(`${path}.`))?.[1];

interface JoinSelectProps {
  number: string;
  join: RuleGroup['join'];
  onChange(join: RuleGroup['join']): void;
}

const JOIN_OPTIONS = [
  { value: 'and', label: 'all' },
  { value: 'or', label: 'any' },
];

function JoinSelect({ number, join, onChange }: JoinSelectProps) {
  return (
    <div className={classes.join}>
      <SegmentedControl
        size="xs"
        aria-label={number ? `Match of group ${number}` : 'Match'}
        data={JOIN_OPTIONS}
        value={join}
        onChange={(next) => onChange(next === 'or' ? 'or' : 'and')}
      />
      of these must match
    </div>
  );
}
