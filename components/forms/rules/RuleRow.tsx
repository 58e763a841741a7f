import { ActionIcon, Input, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { FieldPicker } from './FieldPicker';
import {
  choiceOf,
  firstChoice,
  keyOf,
  operatorGroups,
  shownChoice,
  typeOf,
  withChoice,
  type RuleDraft,
} from './model/operators';
import { exampleAt } from './model/pickable';
import { takesValue, type Operator } from './model/rules';
import classes from './Rules.module.css';
import { ValueField } from './ValueField';

/** The data that rules are about. */
export interface RuleScope {
  /** What fields are picked from, by name. */
  scope: Readonly<Record<string, unknown>>;
  /** What values are picked from. */
  valueScope: Readonly<Record<string, unknown>>;
  /** The operators that are offered; absent: all. */
  operators?: readonly Operator[];
}

interface Props extends RuleScope {
  /** Of the row among all rows, from 1. */
  number: string;
  rule: RuleDraft;
  /** Of the rule among the fields of the form. */
  path?: string;
  error?: string;
  onChange(rule: RuleDraft): void;
  onRemove(): void;
}

/** One rule: field, operator, value. */
export function RuleRow({ number, rule, path, error, scope, valueScope, operators, onChange, onRemove }: Props) {
  const example = rule.field === undefined ? undefined : exampleAt(scope, rule.field);
  const choice = shownChoice(rule, example);
  const pickField = (field: string) => {
    const next = exampleAt(scope, field);
    const isFitting = choice && (next === undefined || choice.type === 'presence' || choice.type === typeOf(next));
    const first = isFitting ? choice : firstChoice(next);
    onChange(
      first && (!isFitting || rule.field === undefined) ? withChoice({ ...rule, field }, first) : { ...rule, field },
    );
  };
  return (
    <div className={classes.rule} role="group" aria-label={`Rule ${number}`} data-field={path}>
      <div className={classes.whole}>
        <FieldPicker label={`Field ${number}`} value={rule.field} scope={scope} onPick={pickField} />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        mt={4}
        aria-label={`Remove rule ${number}`}
        onClick={onRemove}
      >
        <IconX size={15} aria-hidden />
      </ActionIcon>
      <Select
        aria-label={`Operator ${number}`}
        data={operatorGroups(typeOf(example) ?? choice?.type ?? 'text', operators)}
        value={choice ? keyOf(choice) : null}
        allowDeselect={false}
        rightSectionWidth={24}
        styles={{ input: { paddingInlineStart: 8, fontSize: 13, textOverflow: 'ellipsis' } }}
        maxDropdownHeight={320}
        comboboxProps={{ width: 200, position: 'bottom-start' }}
        onChange={(key) => {
          const chosen = key === null ? undefined : choiceOf(key);
          if (chosen) onChange(withChoice(rule, chosen));
        }}
      />
      {choice && takesValue(rule.operator) && choice.fixed === undefined && (
        <ValueField
          key={keyOf(choice)}
          label={`Value ${number}`}
          choice={choice}
          value={rule.value}
          example={example}
          scope={valueScope}
          ignoreCase={rule.ignoreCase === true}
          onIgnoreCase={(isIgnored) => onChange({ ...rule, type: choice.type, ignoreCase: isIgnored || undefined })}
          onChange={(value) => onChange({ ...rule, value, type: choice.type })}
        />
      )}
      {error && <Input.Error className={classes.whole}>{error}</Input.Error>}
    </div>
  );
}
