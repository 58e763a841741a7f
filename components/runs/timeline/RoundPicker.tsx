import type { NodeResult } from '@/contract/execution';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StepPicker } from './StepPicker';

interface Props {
  rounds: Map<number, NodeResult[]>;
  value: number | undefined;
  onChange(round: number): void;
}

const roundStatus = (results: NodeResult[]) =>
  (['failed', 'paused', 'running', 'pending'] as const).find((status) =>
    results.some((result) => result.status === status),
  ) ?? 'completed';

/** Selects a round of a loop. Shown numbers start at one. */
export function RoundPicker({ rounds, value, onChange }: Props) {
  const steps = [...rounds].map(([round, results]) => ({
    value: round,
    label: `Round ${round + 1} · ${RUN_STATUS_STYLE[roundStatus(results)].label}`,
  }));
  return <StepPicker noun="Round" steps={steps} value={value} onChange={onChange} />;
}
