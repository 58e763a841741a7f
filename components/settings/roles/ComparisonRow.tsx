import { ActionIcon, Autocomplete, Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { ConditionAttribute } from '@/contract/access/condition';
import { ATTRIBUTE_OPTIONS, OPERATOR_OPTIONS, type ConditionDraft } from './comparison';

interface Props {
  /** Conjunction before the comparison: where, and. */
  word: string;
  comparison: ConditionDraft;
  onChange(comparison: ConditionDraft): void;
  /** Removes the comparison. Absent if it is the only one. */
  onRemove?(): void;
}

/** One comparison: attribute, operator and value. */
export function ComparisonRow({ word, comparison, onChange, onRemove }: Props) {
  const { attribute, operator, value } = comparison;
  return (
    <Group gap="xs" align="center" role="group" aria-label={`${word} …`}>
      <span style={{ width: 42, fontSize: 13, color: 'var(--weft-muted)' }}>{word}</span>
      <Select
        aria-label="Attribute"
        w={160}
        allowDeselect={false}
        data={ATTRIBUTE_OPTIONS}
        value={attribute}
        onChange={(next) => onChange({ ...comparison, attribute: ConditionAttribute.parse(next) })}
      />
      <Select
        aria-label="Comparison"
        w={120}
        allowDeselect={false}
        data={OPERATOR_OPTIONS}
        value={operator}
        onChange={(next) => {
          const chosen = OPERATOR_OPTIONS.find((each) => each.value === next)?.value;
          if (chosen) onChange({ ...comparison, operator: chosen });
        }}
      />
      <Autocomplete
        aria-label="Value"
        miw={150}
        flex={1}
        placeholder={operator === 'in' ? 'draft, paused' : 'Text or caller.id'}
        data={operator === 'in' ? [] : ['caller.id', 'caller.email']}
        value={value}
        onChange={(next) => onChange({ ...comparison, value: next })}
      />
      {onRemove && (
        <ActionIcon size="lg" aria-label="Remove comparison" onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  );
}
