import { Text } from '@mantine/core';
import { RUN_LOOK } from '@/components/ui/states/status';
import { duration, elapsed } from '@/components/ui/values/time';
import type { Attempt } from './attempts';
import { StepPicker } from './StepPicker';

interface Props {
  attempts: Attempt[];
  value: Attempt;
  onChange(number: number): void;
}

const tookOf = ({ startedAt, completedAt }: Attempt) => {
  const ms = completedAt === undefined ? undefined : elapsed(startedAt, completedAt, 0);
  return ms === undefined ? 'in progress' : duration(ms);
};

/** Selects an attempt of a node, with its time and status. */
export function AttemptPicker({ attempts, value, onChange }: Props) {
  const steps = attempts.map((each) => ({
    value: each.number,
    label: `Attempt ${each.number} of ${attempts.length} · ${RUN_LOOK[each.status].label}`,
  }));
  return (
    <section aria-label="Attempts">
      <StepPicker noun="Attempt" steps={steps} value={value.number} onChange={onChange} />
      <Text size="xs" c="dimmed" mt={6}>
        <time dateTime={value.startedAt}>{new Date(value.startedAt).toLocaleTimeString()}</time> · {tookOf(value)}
      </Text>
    </section>
  );
}
