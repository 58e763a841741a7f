import type { ConnectorOperationInfo } from '@/contract/connectors/connector';
import type { EventPreset } from '../event/event-draft';
import { VERIFICATION_CHOICES, verificationPresets, type WebhookDraft } from '../webhook/webhook-draft';
import type { PollDraft } from '../poll/poll-draft';

/** What the form of a new trigger begins with. */
export interface TriggerPreset {
  poll?: Partial<PollDraft>;
  webhook?: Partial<WebhookDraft>;
  /** What happens at a service. */
  event?: EventPreset;
}

/** How a poll finds new items by an operation. Undefined if the operation is no source of polls. */
export function pollItemSettings({ poll }: ConnectorOperationInfo): Partial<PollDraft> | undefined {
  if (!poll) return undefined;
  const { items, key, cursor = '' } = poll;
  return { items, key, cursor };
}

/** A provider whose signed calls a webhook takes. */
export interface WebhookSender {
  id: string;
  label: string;
  preset: TriggerPreset;
}

export const WEBHOOK_SENDERS: readonly WebhookSender[] = Object.entries(VERIFICATION_CHOICES).flatMap(
  ([choice, { label, base }]) =>
    base.provider === undefined
      ? []
      : [
          {
            id: base.provider,
            label,
            preset: {
              webhook: { choice, values: verificationPresets(choice), path: base.provider.replaceAll('_', '-') },
            },
          },
        ],
);
