import { Group, Select } from '@mantine/core';
import { DurationInput } from '@/components/ui/values/DurationInput';
import type { WebhookResponseMode } from '@/contract/triggers/webhook';

type ResponseModeName = WebhookResponseMode['mode'];

export const ACCEPTED_RESPONSE: WebhookResponseMode = { mode: 'accepted' };

const RESPONSE_MODE_LABELS: Record<ResponseModeName, string> = {
  accepted: 'At once, with the id of the run',
  last_node: 'With the output of the run',
  respond_node: 'With a Respond node',
};
const RESPONSE_MODE_OPTIONS = Object.entries(RESPONSE_MODE_LABELS).map(([value, label]) => ({ value, label }));

const DEFAULT_WEBHOOK_WAIT = 30;
const MAX_WEBHOOK_WAIT = 120;

const webhookResponseSettings = (mode: ResponseModeName, seconds: number): WebhookResponseMode =>
  mode === 'accepted' ? ACCEPTED_RESPONSE : { mode, timeoutMs: Math.round(seconds * 1000) };

const responseSeconds = (response: WebhookResponseMode): number =>
  response.mode === 'accepted' ? DEFAULT_WEBHOOK_WAIT : response.timeoutMs / 1000;

/** How a webhook answers, in one line. */
export const describeWebhookResponse = (response: WebhookResponseMode): string =>
  response.mode === 'accepted'
    ? `Answers ${RESPONSE_MODE_LABELS.accepted.toLowerCase()}.`
    : `Answers ${RESPONSE_MODE_LABELS[response.mode].replace(/^W/, 'w')}, within ${responseSeconds(response)} s.`;

interface Props {
  value: WebhookResponseMode;
  onChange(response: WebhookResponseMode): void;
}

/** How deliveries of a webhook are answered. */
export function ResponseField({ value, onChange }: Props) {
  const { mode } = value;
  return (
    <Group gap="xs" mt="xs" align="flex-end" wrap="nowrap">
      <Select
        flex={1}
        label="Answer"
        data={RESPONSE_MODE_OPTIONS}
        value={mode}
        allowDeselect={false}
        onChange={(next) => onChange(webhookResponseSettings(next as ResponseModeName, responseSeconds(value)))}
      />
      {mode !== 'accepted' && (
        <DurationInput
          w={120}
          label="Within"
          min={1000}
          max={MAX_WEBHOOK_WAIT * 1000}
          value={responseSeconds(value) * 1000}
          onChange={(ms) => onChange(webhookResponseSettings(mode, ms === null ? DEFAULT_WEBHOOK_WAIT : ms / 1000))}
        />
      )}
    </Group>
  );
}
