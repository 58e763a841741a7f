import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';

interface Props {
  label: string;
  description: string;
  /** The limit in the smallest unit. Null means unlimited. */
  value: number | null;
  /** Label of the option for null. */
  none: string;
  /** Units by name with their factor to the smallest one, ascending. */
  units: Record<string, number>;
  /** Initial number when a unit is chosen; default: 1. */
  start?: number;
  error?: string;
  onChange(value: number | null): void;
}

/** The largest unit that divides the value. */
const largestFittingUnit = (value: number | null, units: Record<string, number>): string =>
  Object.keys(units).findLast((name) => value !== null && value % (units[name] ?? 1) === 0) ??
  Object.keys(units)[0] ??
  '';

/** A limit with a unit, or no limit. */
export function LimitInput({ label, description, value, none, units, start = 1, error, onChange }: Props) {
  const [chosen, setChosen] = useState(() => largestFittingUnit(value, units));
  // A discarded draft may have used another unit.
  const unit = (value ?? 0) % (units[chosen] ?? 1) === 0 ? chosen : largestFittingUnit(value, units);
  const size = units[unit] ?? 1;
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
        value={value === null ? 'none' : unit}
        onChange={(next) => {
          if (next === null) return;
          const factor = units[next];
          if (factor !== undefined) setChosen(next);
          const amount = value === null ? start : Math.max(1, Math.round(value / size));
          onChange(factor === undefined ? null : amount * factor);
        }}
      />
    </Group>
  );
}
