import { Input, SegmentedControl, Stack } from '@mantine/core';
import { DurationInput } from '@/components/ui/values/DurationInput';
import { CronField } from '../schedule/CronField';
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
  { value: 'cron', label: 'At fixed times' },
];

/** When a poll asks. */
export function PollTimeFields({ draft, errors, set, workflowZone }: PollFieldsProps & { workflowZone: string }) {
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
        <DurationInput
          label="Every"
          placeholder="5 min"
          min={MIN_SECONDS * 1000}
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
