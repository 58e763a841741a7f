import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';

interface Props {
  label: string;
  description: string;
  /** In the smallest of the units; null: not limited. */
  value: number | null;
  /** What null says. */
  none: string;
  /** Units by name, each with how many of the smallest it is; ascending. */
  units: Record<string, number>;
  error?: string;
  onChange(value: number | null): void;
}

/** A duration in the unit that fits, or none. */
export function Choice({ label, description, value, none, units, error, onChange }: Props) {
  const fitting = Object.keys(units).findLast((name) => value !== null && value % (units[name] ?? 1) === 0);
  const [first = ''] = Object.keys(units);
  const [chosen, setChosen] = useState<string>();
  const unit = value === null ? null : (chosen ?? fitting ?? first);
  const size = units[unit ?? first] ?? 1;
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" maw={420}>
      {value !== null && (
        <NumberInput
          label={label}
          description={description}
          flex={1}
          allowDecimal={false}
          allowNegative={false}
          value={value / size}
          error={error}
          onChange={(next) => onChange(Number(next) * size)}
        />
      )}
      <Select
        label={value === null ? label : undefined}
        description={value === null ? description : undefined}
        aria-label={value === null ? undefined : `${label}, unit`}
        w={value === null ? '100%' : 130}
        allowDeselect={false}
        data={[{ value: 'none', label: none }, ...Object.keys(units)]}
        value={unit ?? 'none'}
        onChange={(next) => {
          if (next === null) return;
          const factor = units[next];
          setChosen(next);
          onChange(factor === undefined ? null : Math.max(1, Math.round((value ?? factor) / size)) * factor);
        }}
      />
    </Group>
  );
}
