import { ActionIcon, Group, Select } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { NodeResult } from '@/contract/execution';
import { RUN_LOOK } from '../ui/status';

interface Props {
  rounds: Map<number, NodeResult[]>;
  value: number | undefined;
  onChange(round: number): void;
}

const statusOf = (results: NodeResult[]) =>
  (['failed', 'paused', 'running', 'pending'] as const).find((status) =>
    results.some((result) => result.status === status),
  ) ?? 'completed';

/** Which round of a loop is looked at. People count from one. */
export function RoundPicker({ rounds, value, onChange }: Props) {
  const all = [...rounds.keys()];
  const at = all.indexOf(value ?? -1);
  const step = (by: number) => {
    const next = all[at + by];
    return next === undefined ? undefined : () => onChange(next);
  };
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon aria-label="Round before" disabled={at <= 0} onClick={step(-1)}>
        <IconChevronLeft size={15} aria-hidden />
      </ActionIcon>
      <Select
        aria-label="Round"
        size="xs"
        w={150}
        data={[...rounds].map(([round, results]) => ({
          value: String(round),
          label: `Round ${round + 1} · ${RUN_LOOK[statusOf(results)].label}`,
        }))}
        value={value === undefined ? null : String(value)}
        allowDeselect={false}
        searchable={all.length > 8}
        limit={100}
        onChange={(picked) => picked !== null && onChange(Number(picked))}
      />
      <ActionIcon aria-label="Round after" disabled={at === -1 || at === all.length - 1} onClick={step(1)}>
        <IconChevronRight size={15} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
