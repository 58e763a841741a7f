import type { NodeResult } from '@/contract/execution';
import { RUN_LOOK } from '../ui/status';
import { StepPicker } from './StepPicker';

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
  const steps = [...rounds].map(([round, results]) => ({
    value: round,
    label: `Round ${round + 1} · ${RUN_LOOK[statusOf(results)].label}`,
  }));
  return <StepPicker noun="Round" steps={steps} value={value} onChange={onChange} />;
}
