import { Text } from '@mantine/core';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { formatDuration, elapsedMs } from '@/components/ui/values/time-format';
import type { DisplayedAttempt } from './attempts';
import { StepPicker } from './StepPicker';

interface Props {
  attempts: DisplayedAttempt[];
  value: DisplayedAttempt;
  onChange(number: number): void;
}

const attemptDuration = ({ startedAt, completedAt }: DisplayedAttempt) => {
  const ms = completedAt === undefined ? undefined : elapsedMs(startedAt, completedAt, 0);
  return ms === undefined ? 'in progress' : formatDuration(ms);
};

/** Selects an attempt of a node, with its time and status. */
export function AttemptPicker({ attempts, value, onChange }: Props) {
  const steps = attempts.map((each) => ({
    value: each.number,
    label: `Attempt ${each.number} of ${attempts.length} · ${RUN_STATUS_STYLE[each.status].label}`,
  }));
  return (
    <section aria-label="Attempts">
      <StepPicker noun="Attempt" steps={steps} value={value.number} onChange={onChange} />
      <Text size="xs" c="dimmed" mt={6}>
        <time dateTime={value.startedAt}>{new Date(value.startedAt).toLocaleTimeString()}</time> ·{' '}
        {attemptDuration(value)}
      </Text>
    </section>
  );
}
