import { Input, Select } from '@mantine/core';
import { RemoveRowButton } from '../RowButtons';
import { DataFieldPicker } from './DataFieldPicker';
import {
  findChoiceByKey,
  defaultChoice,
  operatorChoiceKey,
  groupOperatorChoices,
  displayedChoice,
  comparedTypeName,
  applyOperatorChoice,
  type ComparisonRuleDraft,
} from './model/operator-choices';
import { exampleValueAt } from './model/pickable-fields';
import { needsOperand, type RuleOperator } from './model/rule-model';
import classes from './Rules.module.css';
import { RuleValueField } from './RuleValueField';

/** The data that rules are about. */
export interface RuleEditorScope {
  /** The data from which fields are picked, by name. */
  scope: Readonly<Record<string, unknown>>;
  /** The data from which values are picked. */
  valueScope: Readonly<Record<string, unknown>>;
  /** The operators that are offered; absent: all. */
  operators?: readonly RuleOperator[];
}

interface Props extends RuleEditorScope {
  /** The number of the row among all rows, from 1. */
  number: string;
  rule: ComparisonRuleDraft;
  /** The path of the rule among the fields of the form. */
  path?: string;
  error?: string;
  onChange(rule: ComparisonRuleDraft): void;
  onRemove(): void;
}

/** One rule: field, operator, value. */
export function RuleEditorRow({ number, rule, path, error, scope, valueScope, operators, onChange, onRemove }: Props) {
  const example = rule.field === undefined ? undefined : exampleValueAt(scope, rule.field);
  const choice = displayedChoice(rule, example);
  const pickField = (field: string) => {
    const next = exampleValueAt(scope, field);
    const isFitting =
      choice && (next === undefined || choice.type === 'presence' || choice.type === comparedTypeName(next));
    const first = isFitting ? choice : defaultChoice(next);
    onChange(
      first && (!isFitting || rule.field === undefined)
        ? applyOperatorChoice({ ...rule, field }, first)
        : { ...rule, field },
    );
  };
  return (
    <div className={classes.rule} role="group" aria-label={`Rule ${number}`} data-field={path}>
      <div className={classes.whole}>
        <DataFieldPicker label={`Field ${number}`} value={rule.field} scope={scope} onPick={pickField} />
      </div>
      <RemoveRowButton mt={4} row={`rule ${number}`} onClick={onRemove} />
      <Select
        aria-label={`Operator ${number}`}
        data={groupOperatorChoices(comparedTypeName(example) ?? choice?.type ?? 'text', operators)}
        value={choice ? operatorChoiceKey(choice) : null}
        allowDeselect={false}
        rightSectionWidth={24}
        styles={{ input: { paddingInlineStart: 8, fontSize: 13, textOverflow: 'ellipsis' } }}
        maxDropdownHeight={320}
        comboboxProps={{ width: 200, position: 'bottom-start' }}
        onChange={(key) => {
          const chosen = key === null ? undefined : findChoiceByKey(key);
          if (chosen) onChange(applyOperatorChoice(rule, chosen));
        }}
      />
      {choice && needsOperand(rule.operator) && choice.fixed === undefined && (
        <RuleValueField
          key={operatorChoiceKey(choice)}
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
