import { Slider, Stack } from '@mantine/core';
import type { NodeResult } from '@/contract/execution';
import { RUN_STATUS_STYLE } from '@/components/ui/states/status-style';
import { StepPicker } from './StepPicker';

interface Props {
  rounds: Map<number, NodeResult[]>;
  /** The word for a round. */
  noun?: 'Round' | 'Item';
  value: number | undefined;
  onChange(round: number): void;
}

const roundStatus = (results: NodeResult[]) =>
  (['failed', 'paused', 'running', 'pending'] as const).find((status) =>
    results.some((result) => result.status === status),
  ) ?? 'completed';

/** Selects a round of a loop, by a slider or by name. Shown numbers start at one. */
export function RoundPicker({ rounds, noun = 'Round', value, onChange }: Props) {
  const steps = [...rounds].map(([round, results]) => ({
    value: round,
    label: `${noun} ${round + 1} · ${RUN_STATUS_STYLE[roundStatus(results)].label}`,
  }));
  const at = steps.findIndex((step) => step.value === value);
  return (
    <Stack gap={6}>
      <StepPicker noun={noun} steps={steps} value={value} onChange={onChange} />
      {steps.length > 1 && (
        <Slider
          size="sm"
          thumbLabel={`Slider of ${noun.toLowerCase()}s`}
          thumbValueText={steps[at]?.label}
          className="nodrag nopan"
          min={0}
          max={steps.length - 1}
          label={(index) => steps[index]?.label}
          value={Math.max(0, at)}
          onChange={(index) => {
            const step = steps[index];
            if (step && step.value !== value) onChange(step.value);
          }}
        />
      )}
    </Stack>
  );
}
