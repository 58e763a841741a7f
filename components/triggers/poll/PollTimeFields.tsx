import { Input, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useCronWords } from '../schedule/cron';
import type { PollDraft } from './poll-draft';

export interface PollFieldsProps {
  draft: PollDraft;
  /** By the names of the service. */
  errors: ReadonlyMap<string, string>;
  set(part: Partial<PollDraft>): void;
}

const MIN_SECONDS = 5;
const KINDS: { value: PollDraft['times']; label: string }[] = [
  { value: 'interval', label: 'At an interval' },
  { value: 'cron', label: 'By a cron expression' },
];

/** When a poll asks. */
export function PollTimeFields({ draft, errors, set }: PollFieldsProps) {
  const words = useCronWords(draft.cron);
  return (
    <Stack gap="xs">
      <Input.Wrapper label="Poll the source" labelElement="div">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label="Poll the source"
          data={KINDS}
          value={draft.times}
          onChange={(times) => set({ times: times as PollDraft['times'] })}
        />
      </Input.Wrapper>
      {draft.times === 'interval' ? (
        <NumberInput
          label="Every (seconds)"
          min={MIN_SECONDS}
          value={draft.seconds}
          error={errors.get('intervalMs')}
          onChange={(seconds) => set({ seconds: Number(seconds) || 0 })}
        />
      ) : (
        <TextInput
          label="Cron expression"
          description={words ?? 'Minute, hour, day of month, month, day of week'}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          maxLength={200}
          value={draft.cron}
          error={errors.get('cron')}
          onChange={(event) => set({ cron: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
