import { Text } from '@mantine/core';
import { RUN_LOOK } from '../ui/status';
import { duration, elapsed } from '../ui/time';
import type { Attempt } from './attempts';
import { StepPicker } from './StepPicker';

interface Props {
  attempts: Attempt[];
  value: Attempt;
  onChange(number: number): void;
}

const tookOf = ({ startedAt, completedAt }: Attempt) => {
  const ms = completedAt === undefined ? undefined : elapsed(startedAt, completedAt, 0);
  return ms === undefined ? 'under way' : duration(ms);
};

/** Which attempt of a node is looked at, when it was, and how it went. */
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
