import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { completeRules, draftOf, EMPTY_RULE, isComplete, isGroupDraft, type GroupDraft } from './model/drafts';
import type { RuleDraft } from './model/operators';
import { printRules } from './model/print';
import { MAX_GROUPS } from './model/parse';
import { RuleRow, type RuleScope } from './RuleRow';
import type { RuleGroup } from './model/rules';
import classes from './Rules.module.css';

/** What is wrong with rules, by path. */
interface RuleErrors {
  /** The path of the rules; absent: they are one expression. */
  path?: string;
  errors?: ReadonlyMap<string, string>;
}

interface Props extends RuleScope, RuleErrors {
  rules: RuleGroup;
  /** Rules of which all must match are a plain list: `rules[0]` in place of `rules.and[0]`. */
  isListed?: boolean;
  /** Levels of groups, the outermost one included. */
  levels?: number;
  /** Receives the complete rules. */
  onChange(rules: RuleGroup): void;
}

/** Rules as rows, with groups in them. Incomplete rows stay in the editor and are not part of the value. */
export function RulesEditor({ rules, path, errors, isListed = false, levels = MAX_GROUPS, onChange, ...scope }: Props) {
  const [draft, setDraft] = useState<GroupDraft>(() => draftOf(rules));
  const isCurrent = printRules(completeRules(draft)) === printRules(rules);
  const shown = isCurrent ? draft : draftOf(rules);
  const change = (next: GroupDraft) => {
    setDraft(next);
    onChange(completeRules(next));
  };
  const group = shown.members.length > 0 ? shown : START;
  const at = path !== undefined && !(isListed && group.join === 'and') ? `${path}.${group.join}` : path;
  return (
    <GroupRows group={group} number="" levels={levels} scope={scope} path={at} errors={errors} onChange={change} />
  );
}

const START: GroupDraft = { join: 'and', members: [EMPTY_RULE] };

/** `path`: that of the list of members. */
interface GroupProps extends RuleErrors {
  group: GroupDraft;
  /** Of the group; the empty text: the outermost one. */
  number: string;
  /** Of groups, this one included. */
  levels: number;
  scope: RuleScope;
  onChange(group: GroupDraft): void;
  onRemove?(): void;
}

function GroupRows({ group, number, levels, scope, path, errors, onChange, onRemove }: GroupProps) {
  const { join, members } = group;
  const change = (next: GroupDraft['members']) => {
    if (next.length === 0 && onRemove) onRemove();
    else onChange({ ...group, members: next });
  };
  const put = (index: number, member: RuleDraft | GroupDraft) =>
    change(members.map((old, at) => (at === index ? member : old)));
  const remove = (index: number) => change(members.filter((_, at) => at !== index));
  const hasIncomplete = members.some((member) => !isGroupDraft(member) && !isComplete(member) && member.field);
  return (
    <Stack gap={8} role="group" aria-label={number ? `Group ${number}` : 'Rules'}>
      {members.length > 1 && (
        <Join number={number} join={join} onChange={(next) => onChange({ ...group, join: next })} />
      )}
      {members.map((member, index) => {
        const at = number ? `${number}.${index + 1}` : String(index + 1);
        const own = path === undefined ? undefined : `${path}[${index}]`;
        return isGroupDraft(member) ? (
          <div key={index} className={classes.group}>
            <GroupRows
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
          <RuleRow
            key={index}
            number={at}
            rule={member}
            path={own}
            error={own && errorIn(errors, own)}
            {...scope}
            onChange={(next) => put(index, next)}
            onRemove={() => remove(index)}
          />
        );
      })}
      {hasIncomplete && <span className={classes.join}>A rule without a value is ignored.</span>}
      <Group gap={6}>
        <AddButton label="Add rule" onClick={() => change([...members, EMPTY_RULE])} />
        {levels > 1 && (
          <AddButton
            label="Add group"
            onClick={() => {
              const other = join === 'and' ? 'or' : 'and';
              change([...members, { join: other, members: [EMPTY_RULE, EMPTY_RULE] }]);
            }}
          />
        )}
      </Group>
    </Stack>
  );
}

/** The first message about a rule or a part of it. */
const errorIn = (errors: RuleErrors['errors'], path: string): string | undefined =>
  [...(errors ?? [])].find(([field]) => field === path || field.startsWith(`${path}.`))?.[1];

function AddButton({ label, onClick }: { label: string; onClick(): void }) {
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  );
}

interface JoinProps {
  number: string;
  join: RuleGroup['join'];
  onChange(join: RuleGroup['join']): void;
}

const JOINS = [
  { value: 'and', label: 'all' },
  { value: 'or', label: 'any' },
];

function Join({ number, join, onChange }: JoinProps) {
  return (
    <div className={classes.join}>
      <SegmentedControl
        size="xs"
        aria-label={number ? `Match of group ${number}` : 'Match'}
        data={JOINS}
        value={join}
        onChange={(next) => onChange(next === 'or' ? 'or' : 'and')}
      />
      of these must match
    </div>
  );
}
