import { Group, Select } from '@mantine/core';
import { DurationInput } from '@/components/ui/values/DurationInput';
import type { WebhookResponse } from '@/contract/triggers/webhook';

type Mode = WebhookResponse['mode'];

export const ACCEPTED: WebhookResponse = { mode: 'accepted' };

const LABELS: Record<Mode, string> = {
  accepted: 'At once, with the id of the run',
  last_node: 'With the output of the run',
  respond_node: 'With a Respond node',
};
const MODES = Object.entries(LABELS).map(([value, label]) => ({ value, label }));

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 120;

const responseOf = (mode: Mode, seconds: number): WebhookResponse =>
  mode === 'accepted' ? ACCEPTED : { mode, timeoutMs: Math.round(seconds * 1000) };

const secondsOf = (response: WebhookResponse): number =>
  response.mode === 'accepted' ? DEFAULT_SECONDS : response.timeoutMs / 1000;

/** How a webhook answers, in one line. */
export const responseText = (response: WebhookResponse): string =>
  response.mode === 'accepted'
    ? `Answers ${LABELS.accepted.toLowerCase()}.`
    : `Answers ${LABELS[response.mode].replace(/^W/, 'w')}, within ${secondsOf(response)} s.`;

interface Props {
  value: WebhookResponse;
  onChange(response: WebhookResponse): void;
}

/** How deliveries of a webhook are answered. */
export function ResponseField({ value, onChange }: Props) {
  const { mode } = value;
  return (
    <Group gap="xs" mt="xs" align="flex-end" wrap="nowrap">
      <Select
        flex={1}
        label="Answer"
        data={MODES}
        value={mode}
        allowDeselect={false}
        onChange={(next) => onChange(responseOf(next as Mode, secondsOf(value)))}
      />
      {mode !== 'accepted' && (
        <DurationInput
          w={120}
          label="Within"
          min={1000}
          max={MAX_SECONDS * 1000}
          value={secondsOf(value) * 1000}
          onChange={(ms) => onChange(responseOf(mode, ms === null ? DEFAULT_SECONDS : ms / 1000))}
        />
      )}
    </Group>
  );
}
