import { ActionIcon, Group, Select } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';

interface Props {
  /** The word for a step, such as `Round`. */
  noun: string;
  steps: { value: number; label: string }[];
  value: number | undefined;
  onChange(value: number): void;
}

/** Selects one of several steps by name, or with previous and next buttons. */
export function StepPicker({ noun, steps, value, onChange }: Props) {
  const at = steps.findIndex((step) => step.value === value);
  const stepTo = (index: number) => {
    const next = at === -1 ? undefined : steps[index];
    return next === undefined ? undefined : () => onChange(next.value);
  };
  const [before, after] = [stepTo(at - 1), stepTo(at + 1)];
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon aria-label={`Previous ${noun.toLowerCase()}`} disabled={!before} onClick={before}>
        <IconChevronLeft size={15} aria-hidden />
      </ActionIcon>
      <Select
        aria-label={noun}
        size="xs"
        flex={1}
        maw={240}
        data={steps.map((step) => ({ value: String(step.value), label: step.label }))}
        value={value === undefined ? null : String(value)}
        allowDeselect={false}
        searchable={steps.length > 8}
        limit={100}
        onChange={(picked) => picked !== null && onChange(Number(picked))}
      />
      <ActionIcon aria-label={`Next ${noun.toLowerCase()}`} disabled={!after} onClick={after}>
        <IconChevronRight size={15} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
