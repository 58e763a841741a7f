import { Input, SegmentedControl, Stack } from '@mantine/core';
import { DurationInput } from '@/components/ui/values/DurationInput';
import { CronField } from '../schedule/CronField';
import type { PollDraft } from './poll-draft';
import type { PollDialogTexts } from './poll-words';

export interface PollFieldsProps {
  draft: PollDraft;
  /** Errors by the field names of the API. */
  errors: ReadonlyMap<string, string>;
  set(part: Partial<PollDraft>): void;
  words: PollDialogTexts;
}

export const MIN_POLL_SECONDS = 5;
const POLL_TIME_OPTIONS: { value: PollDraft['times']; label: string }[] = [
  { value: 'interval', label: 'At an interval' },
  { value: 'cron', label: 'At fixed times' },
];

/** The fields that say when a poll asks its source. */
export function PollTimeFields({
  draft,
  errors,
  set,
  words,
  workflowZone,
}: PollFieldsProps & { workflowZone: string }) {
  return (
    <Stack gap="xs">
      <Input.Wrapper label={words.times} labelElement="div">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label={words.times}
          data={POLL_TIME_OPTIONS}
          value={draft.times}
          onChange={(times) => set({ times: times as PollDraft['times'] })}
        />
      </Input.Wrapper>
      {draft.times === 'interval' ? (
        <DurationInput
          label="Every"
          placeholder="5 min"
          min={MIN_POLL_SECONDS * 1000}
          value={draft.seconds * 1000}
          error={errors.get('intervalMs')}
          onChange={(ms) => set({ seconds: (ms ?? 0) / 1000 })}
        />
      ) : (
        <CronField
          cron={draft.cron}
          timezone={draft.timezone ?? workflowZone}
          errors={errors}
          onCron={(cron) => set({ cron })}
          onTimezone={(timezone) => set({ timezone })}
        />
      )}
    </Stack>
  );
}
