import { Group, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  label: string;
  used: number;
  /** Null: unlimited. */
  limit: number | null;
  /** Formats an amount. By default amounts are whole numbers. */
  write?(amount: number): string;
  /** What happens at the limit. */
  children: ReactNode;
}

/** Share of the limit at which the bar changes colour. */
const NEARLY_FULL_SHARE = 0.9;
const formatAmount = (value: number) => value.toLocaleString('en');

/** Usage of a limit, with the remaining amount. */
export function UsageMeter({ label, used, limit, write = formatAmount, children }: Props) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={550}>
          {label}
        </Text>
        <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {limit === null
            ? `${write(used)}, no limit`
            : `${write(used)} of ${write(limit)} · ${write(Math.max(0, limit - used))} left`}
        </Text>
      </Group>
      {limit !== null && (
        <Progress
          value={Math.min(100, (used / limit) * 100)}
          color={used > limit * NEARLY_FULL_SHARE ? 'madder' : 'woad'}
          aria-label={`${label}: ${write(used)} of ${write(limit)} used`}
        />
      )}
      <Text size="xs" c="dimmed" mt={6}>
        {limit !== null && used > limit && `${write(used)} exist already, more than the tier allows. `}
        {children}
      </Text>
    </div>
  );
}
